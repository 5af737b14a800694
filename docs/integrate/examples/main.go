// A shop with Go's standard library alone. Start it with: go run main.go
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type order struct {
	refid, state string
	seq          int
	isPaid       bool
}

var (
	mutex  sync.Mutex
	orders = map[string]*order{} // by id; in production a table of your database
	client = &http.Client{Timeout: 30 * time.Second}
)

func buy(w http.ResponseWriter, r *http.Request) {
	random := make([]byte, 8)
	rand.Read(random)
	id := hex.EncodeToString(random)
	mutex.Lock()
	orders[id] = &order{state: "new"}
	mutex.Unlock()
	refid, page, err := createLink(id, "12.50") // from your books, never from the browser
	if err != nil {
		log.Print(err)
		http.Error(w, "The payment page is not available. Try again.", http.StatusBadGateway)
		return
	}
	mutex.Lock()
	orders[id].refid = refid
	mutex.Unlock()
	http.Redirect(w, r, page, http.StatusSeeOther)
}

func createLink(id, amount string) (refid, page string, err error) {
	shown := os.Getenv("SHOP_URL") + "/orders/" + id
	body, _ := json.Marshal(map[string]any{
		"amount":            amount,
		"amount_currency":   "usd",
		"payment_reference": id,
		"customer_details":  map[string]string{"email": "ada@example.com", "first_name": "Ada", "last_name": "Obi"},
		"success_url":       shown,
		"cancel_url":        shown,
	})
	request, err := http.NewRequest("POST", os.Getenv("PAYLINK_URL")+"/v1/payment-links", bytes.NewReader(body))
	if err != nil {
		return "", "", err
	}
	key, header := os.Getenv("PAYLINK_KEY"), "x-api-key"
	if strings.HasPrefix(key, "pl_test_") {
		header = "x-staging-api-key"
	}
	request.Header.Set(header, key)
	request.Header.Set("content-type", "application/json")
	request.Header.Set("idempotency-key", id)
	response, err := client.Do(request)
	if err != nil {
		return "", "", err
	}
	defer response.Body.Close()
	var answer struct {
		Status, Message string
		Data            struct {
			Refid       string
			PaymentLink string `json:"payment_link"`
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return "", "", err
	}
	if answer.Status != "success" {
		return "", "", errors.New(answer.Message)
	}
	return answer.Data.Refid, answer.Data.PaymentLink, nil
}

func webhooks(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // the raw bytes are what was signed
	if err != nil || !isSigned(body, r.Header) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct{ Data data }
	if err := json.Unmarshal(body, &event); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	handle(event.Data)
	w.WriteHeader(http.StatusNoContent)
}

func isSigned(body []byte, header http.Header) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("PAYLINK_WEBHOOK_SECRET"), "whsec_"))
	sentAt, timeErr := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || len(key) == 0 { // anyone can sign with an empty key
		log.Print("PAYLINK_WEBHOOK_SECRET is not set, or is not a secret")
		return false
	}
	if timeErr != nil || time.Since(time.Unix(sentAt, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("webhook-id"), sentAt, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal(expected, []byte(signature)) {
			return true
		}
	}
	return false
}

type data struct {
	Refid, State     string
	PaymentReference string `json:"payment_reference"`
	Seq              int
}

// A repeated or older event has no higher seq. The state says whether the whole amount is paid and final.
func handle(link data) {
	mutex.Lock()
	defer mutex.Unlock()
	found := orders[link.PaymentReference]
	if found == nil || found.refid != link.Refid || link.Seq <= found.seq {
		return
	}
	found.seq, found.state = link.Seq, link.State
	isPaid := link.State == "completed" || link.State == "overpaid"
	if found.isPaid && !isPaid {
		fmt.Printf("order %s is not paid any more\n", link.PaymentReference) // a reorganization: stop it until it is again
	}
	if !found.isPaid && isPaid {
		found.isPaid = true
		fmt.Printf("order %s is paid\n", link.PaymentReference) // ship it
	}
}

func show(w http.ResponseWriter, r *http.Request) {
	mutex.Lock()
	defer mutex.Unlock()
	found := orders[r.PathValue("id")]
	if found == nil {
		http.NotFound(w, r)
		return
	}
	fmt.Fprint(w, found.state)
}

func main() {
	http.HandleFunc("POST /buy", buy)
	http.HandleFunc("POST /webhooks", webhooks)
	http.HandleFunc("GET /orders/{id}", show)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
