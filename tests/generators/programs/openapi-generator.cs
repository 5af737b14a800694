// openapi-generator, csharp, with its library "httpclient".
using System;
using System.Collections.Generic;
using Newtonsoft.Json;
using Paylink.Api;
using Paylink.Client;
using Paylink.Model;

public static class Link
{
    public static void Main()
    {
        var configuration = new Configuration { BasePath = Environment.GetEnvironmentVariable("BASE_URL") };
        configuration.DefaultHeaders.Add("x-staging-api-key", Environment.GetEnvironmentVariable("API_KEY"));
        var links = new PaymentLinksApi(configuration);
        // The generator makes a required enum that may be null one that may not. Without this, reading the null fails.
        ((ApiClient)links.Client).SerializerSettings.NullValueHandling = NullValueHandling.Ignore;
        var body = new CreatePaymentLinkRequest(
            amount: "123456789012.345678",
            amountCurrency: CreatePaymentLinkRequest.AmountCurrencyEnum.Usdt,
            customerDetails: new CreatePaymentLinkRequestCustomerDetails("ada@example.com", "Ada", "Obi"),
            paymentReference: "ORDER1001",
            successUrl: "https://shop.example.com/thanks",
            cancelUrl: "https://shop.example.com/cart",
            expiresAt: DateTime.UtcNow.AddHours(1),
            metadata: new Dictionary<string, object> { ["order"] = 1001 },
            wallets: new List<CreatePaymentLinkRequestWallet> { new CreatePaymentLinkRequestWallet("bep20", "USDT") });
        var refid = links.CreatePaymentLink(body).Data.Refid;
        var link = links.GetPaymentLink(refid).Data;
        // A null left the enum at 0, which is none of its values.
        object reason = link.Reason == 0 ? null : (object)link.Reason;
        object[] read = { refid, link.Refid, link.State, link.AmountRequired, reason };
        Console.WriteLine(JsonConvert.SerializeObject(read));
    }
}
