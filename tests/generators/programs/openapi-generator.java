// openapi-generator, java, with its library "native".
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.PaymentLinksApi;
import org.openapitools.client.model.CreatePaymentLinkRequest;
import org.openapitools.client.model.CreatePaymentLinkRequestCustomerDetails;
import org.openapitools.client.model.CreatePaymentLinkRequestWallet;

public class Link {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("x-staging-api-key", System.getenv("API_KEY")));
    PaymentLinksApi links = new PaymentLinksApi(client);
    CreatePaymentLinkRequest body = new CreatePaymentLinkRequest()
        .amount("123456789012.345678")
        .amountCurrency(CreatePaymentLinkRequest.AmountCurrencyEnum.USDT)
        .customerDetails(
            new CreatePaymentLinkRequestCustomerDetails().email("ada@example.com").firstName("Ada").lastName("Obi"))
        .paymentReference("ORDER1001")
        .successUrl(URI.create("https://shop.example.com/thanks"))
        .cancelUrl(URI.create("https://shop.example.com/cart"))
        .metadata(Map.of("order", 1001))
        .wallets(List.of(new CreatePaymentLinkRequestWallet().network("bep20").token("USDT")));
    String refid = links.createPaymentLink(body, null).getData().getRefid();
    var link = links.getPaymentLink(refid).getData();
    Object[] read = {refid, link.getRefid(), link.getState(), link.getAmountRequired(), link.getReason()};
    System.out.println(new ObjectMapper().writeValueAsString(Arrays.asList(read)));
  }
}
