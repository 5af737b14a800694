"""openapi-python-client."""
import json
import os

from generated import AuthenticatedClient
from generated.api.payment_links import create_payment_link, get_payment_link
from generated.models import CreatePaymentLinkRequest

client = AuthenticatedClient(
    base_url=os.environ["BASE_URL"],
    token=os.environ["API_KEY"],
    prefix="",
    auth_header_name="x-staging-api-key",
)
body = CreatePaymentLinkRequest.from_dict(
    {
        "amount": "38250.5",
        "customer_details": {"email": "ada@example.com", "first_name": "Ada", "last_name": "Obi"},
        "payment_reference": "ORDER1001",
        "success_url": "https://shop.example.com/thanks",
        "cancel_url": "https://shop.example.com/cart",
        "metadata": {"order": 1001},
        "wallets": [{"network": "bep20", "token": "USDT"}],
    }
)
created = create_payment_link.sync(client=client, body=body)
link = get_payment_link.sync(created.data.refid, client=client).data
print(json.dumps([created.data.refid, link.refid, link.state, link.amount_required, link.reason]))
