// openapi-generator, go.
package main

import (
	"context"
	"encoding/json"
	"os"

	paylink "github.com/paylink/client"
)

func main() {
	config := paylink.NewConfiguration()
	config.Servers = paylink.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	keys := map[string]paylink.APIKey{"test": {Key: os.Getenv("API_KEY")}}
	ctx := context.WithValue(context.Background(), paylink.ContextAPIKeys, keys)
	links := paylink.NewAPIClient(config).PaymentLinksAPI
	customer := paylink.NewCreatePaymentLinkRequestCustomerDetails("ada@example.com", "Ada", "Obi")
	body := paylink.NewCreatePaymentLinkRequest(
		"123456789012.345678", *customer, "ORDER1001", "https://shop.example.com/thanks", "https://shop.example.com/cart",
	)
	body.SetAmountCurrency("usdt")
	body.SetMetadata(map[string]int{"order": 1001})
	body.SetWallets([]paylink.CreatePaymentLinkRequestWallet{{Network: "bep20", Token: "USDT"}})
	created, _, err := links.CreatePaymentLink(ctx).CreatePaymentLinkRequest(*body).Execute()
	if err != nil {
		panic(err)
	}
	refid := created.Data.Refid
	read, _, err := links.GetPaymentLink(ctx, refid).Execute()
	if err != nil {
		panic(err)
	}
	link := read.Data
	reason, _ := link.GetReasonOk()
	if err := json.NewEncoder(os.Stdout).Encode([]any{refid, link.Refid, link.State, link.AmountRequired, reason}); err != nil {
		panic(err)
	}
}
