"""openapi-generator, python."""
import json
import os

import openapi_client as paylink

config = paylink.Configuration(host=os.environ["BASE_URL"], api_key={"test": os.environ["API_KEY"]})
links = paylink.PaymentLinksApi(paylink.ApiClient(config))
created = links.create_payment_link(
    paylink.CreatePaymentLinkRequest(
        amount="123456789012.345678",
        amount_currency="usdt",
        customer_details=paylink.CreatePaymentLinkRequestCustomerDetails(
            email="ada@example.com", first_name="Ada", last_name="Obi"
        ),
        payment_reference="ORDER1001",
        success_url="https://shop.example.com/thanks",
        cancel_url="https://shop.example.com/cart",
        metadata={"order": 1001},
        wallets=[paylink.CreatePaymentLinkRequestWallet(network="bep20", token="USDT")],
    )
)
link = links.get_payment_link(created.data.refid).data
print(json.dumps([created.data.refid, link.refid, link.state, link.amount_required, link.reason]))
