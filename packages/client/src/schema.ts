// Generated from the OpenAPI document. Do not edit. Run `npm run client` to update it.
export interface paths {
    "/payment-links/supported-networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the networks and tokens that payment links accept
         * @description Needs no key. Lists what the live or the test environment accepts. With a key: of the pairs that the operator chose for the merchant.
         */
        get: operations["getSupportedNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links, newest first
         * @description Without quotes and payments: get one link for these. Without `metadata`, unless the query asks for it.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description With `wallets`, their addresses are allocated at once. Without, an address is allocated when the customer chooses a network on the page.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{refid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment link with its state, quotes and payments
         * @description Its state changes on its own. A webhook reports each end. Reading it changes nothing: `remaining` is empty once the quotes ran out, until they are renewed.
         */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{refid}/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the quotes of a payment link that ran out
         * @description For a program that shows the amounts to the customer itself: the payment page renews them by itself. Makes a quote for each selected pair of an unpaid link that has none that is live and whose token has a price, so that `remaining` can be paid. Otherwise it changes nothing.
         */
        post: operations["quotePaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{refid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payment link that nobody has paid
         * @description Its state becomes `expired`, with the reason `canceled`, and `payment_link_failed` is sent. Refused once money was seen. Its addresses stay watched: a payment that comes later is late. Canceling it again changes nothing.
         */
        post: operations["cancelPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List forms, newest first
         * @description Without the archived ones, unless the query asks for them.
         */
        get: operations["listForms"];
        put?: never;
        /**
         * Create a form
         * @description A form is a page that sells without a server of yours. Each submission creates a payment link, whose webhooks have the form and the answers as `metadata`.
         */
        post: operations["createForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a form, with what it has sold
         * @description Archived forms can be read too.
         */
        get: operations["getForm"];
        put?: never;
        post?: never;
        /**
         * Archive a form
         * @description Its page then says that it is closed. The links that it has created can still be paid.
         */
        delete: operations["archiveForm"];
        options?: never;
        head?: never;
        /**
         * Change a form
         * @description Changes the given fields. `clear` removes fields. The currency of a form stays, and so do the links that it has created.
         */
        patch: operations["updateForm"];
        trace?: never;
    };
    "/transaction/token-deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List token deposits
         * @description Credited deposits, newest first. Deposits that are not credited automatically: `/deposits/unmatched`.
         */
        get: operations["listTokenDeposits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/deposit/{tx_hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deposit by its transaction hash
         * @description If the transaction pays several outputs: the one at the lowest position, and the rest in `others`. `network` and `output_pos` select fewer.
         */
        get: operations["getDeposit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/status/{tx_hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deposit's status by its transaction hash
         * @description If the transaction pays several outputs: the one at the lowest position, and the rest in `others`. `network` and `output_pos` select fewer.
         */
        get: operations["getDepositStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/search-blockchain-txhash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find a transaction on the blockchain
         * @description `data` is the answer of the network's node. On erc20, bep20 and base: a string with the receipt's JSON. Otherwise: an object, with `txid` on bitcoin, litecoin, dogecoin and trc20. Also 429 while two of your calls, or four calls of all merchants, query this network's nodes.
         */
        post: operations["searchBlockchainTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/requery/{network}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Requery a transaction
         * @description Reads the transaction from the chain again. Credits a confirmed deposit that was missed. `message`: `transaction confirmed in block 123` or `transaction already credited`. Also 429 while two of your calls, or four calls of all merchants, query this network's nodes.
         */
        post: operations["requeryTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/network-fee": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the current fee of a network
         * @description Cost of a simple payment now, in the network's own coin. bitcoin, litecoin, dogecoin: the node's rate for the next two blocks times 141 virtual bytes (one segwit input, two outputs), 226 on dogecoin. erc20, bep20, base: the gas price times 65,000 gas (a token transfer to an address that never held the token). xrp: the fee for a place in the next ledger. solana: one signature plus the recent median priority fee of 50,000 compute units. Also 429 while two of your calls, or four calls of all merchants, query this network's nodes.
         */
        post: operations["getNetworkFee"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/fee": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the merchant's fee rate, and the fee for an amount
         * @description A fee is charged in the token of the trade or withdrawal. A buy costs at least the token's minimum fee, a withdrawal at least its `send_fee`.
         */
        get: operations["getTransactionFee"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/token-withdrawal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List token withdrawals
         * @description The merchant's withdrawals, newest first.
         */
        get: operations["listTokenWithdrawals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction/refId/{refid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a withdrawal by its reference id
         * @description `message` contains a JSON object as text. Read `data` instead.
         */
        get: operations["getWithdrawalByRefid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a withdrawal
         * @description Amount and fee are reserved in the balance, and the withdrawal waits until it is sent. `Idempotency-Key` is required. Follow it with `withdrawal_completed` and `withdrawal_failed`.
         */
        post: operations["createWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdrawals/{refid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a withdrawal
         * @description Also one that was asked for in the console or by the operator, and refunds.
         */
        get: operations["getWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdrawals/{refid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a withdrawal for which nothing was sent
         * @description Its status becomes 5 and then 2, and its amount and fee return to the balance.
         */
        post: operations["cancelWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{refid}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a payment
         * @description In the token and on the network of the payment: at most what was credited for the link, and neither refunded yet nor promised by an open claim. With `to`: a withdrawal to this address of the customer. Do not take the one that paid: it may belong to an exchange. Without `to`: a refund claim, a page on which the customer enters the address within 30 days. The withdrawal, which needs the balance, is created then. `Idempotency-Key` is required.
         */
        post: operations["refundPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{refid}/refund-claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the refund claims of a payment
         * @description The newest 100. Never their URLs.
         */
        get: operations["listRefundClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{refid}/refund-claims/{claim}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a refund claim
         * @description Only while it is open. Its page then says so, and its amount can be refunded again.
         */
        delete: operations["revokeRefundClaim"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposits/unmatched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deposits at the merchant's addresses that were not credited
         * @description A deposit of another token, on another network or without a purpose. The funds are held until the operator resolves it.
         */
        get: operations["listUnmatchedDeposits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the available balance of each token
         * @description Amounts reserved for withdrawals are not included.
         */
        post: operations["getBalances"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List balance movements and refused attempts
         * @description Newest first. The newest 1,000 refused attempts (status 0) are kept. A refused attempt moves nothing: both of its balances are the balance at that time.
         */
        post: operations["getHistory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the total value of all movements in USD
         * @description Each movement is valued at the price of its time. One without a price is counted as soon as a price is known.
         */
        get: operations["getStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/wallet-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the merchant's addresses
         * @description In all, and for each network. Addresses are never deleted.
         */
        get: operations["getWalletMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/generate-wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a wallet address for a customer
         * @description The e-mail address, in upper or lower case, identifies the customer. The latest names are stored. A repeated call returns the newest address that has received nothing yet. With `fresh=1` it always allocates a new one.
         */
        post: operations["generateWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/generate-merchant-wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a wallet address for the merchant itself
         * @description A repeated call returns the newest address that has received nothing yet. With `fresh=1` it always allocates a new one.
         */
        post: operations["generateMerchantWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/get-network": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the configuration of a network
         * @description Shows what the network allows now, and its block explorer.
         */
        post: operations["getNetwork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/get-all-networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the configuration of every network
         * @description All nine networks, including disabled ones.
         */
        post: operations["getAllNetworks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets/get-addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the merchant's addresses on a network, newest first
         * @description Its own addresses, those of its customers and those of its payment links.
         */
        post: operations["getAddresses"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens with their prices, allowed uses, limits and networks
         * @description `tokens` has the symbols, `tokenConfigs` the configuration of each.
         */
        get: operations["getTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trade/buy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy a token with the merchant's USDT
         * @description The price is that of `GET /tokens`; 1 USDT counts as 1 USD. The fee is charged in USDT in addition to the cost. Either everything is booked or nothing. No webhook is sent: see balances and history.
         */
        post: operations["buyToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the merchant's customers, newest first
         * @description Every customer of a payment link or a wallet, once per e-mail address and environment.
         */
        get: operations["listCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the IP addresses from which live keys may be used, newest first
         * @description An empty list allows every address. Test keys work from every address.
         */
        get: operations["listWhitelistedIps"];
        put?: never;
        /**
         * Allow live keys from another address
         * @description Only while the list has an entry: the first one is made in the console or by the operator.
         */
        post: operations["addWhitelistedIp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ip/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an address from the list
         * @description Not the entry that this request needs, and so never the last one.
         */
        delete: operations["removeWhitelistedIp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merchant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the merchant's settings
         * @description They are the same for live and test.
         */
        get: operations["getMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the merchant's settings
         * @description Changes the given fields, for live and test. `clear` removes fields.
         */
        patch: operations["updateMerchant"];
        trace?: never;
    };
    "/merchant/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the logo of the payment page
         * @description A picture of at most 48 kB. The console takes larger ones.
         */
        post: operations["setLogo"];
        /**
         * Remove the logo of the payment page
         * @description The page then shows the first letter of the name.
         */
        delete: operations["removeLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people who work for the merchant in the console
         * @description By name. People are invited in the console.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of the environment
         * @description Also those that are revoked or have expired. Never the keys themselves.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a narrower API key
         * @description Of the same environment. Keys with the scope `full` are created in the console. A repeated request creates another key: an answer with a key is not kept.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key, at once
         * @description A narrower one, or the key of this request.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints, oldest first
         * @description Without their secrets. At most 16, with those of shops, which are not listed here.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Add a webhook endpoint
         * @description Its secret is shown once. A repeated request adds another endpoint: an answer with a secret is not kept.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint
         * @description What is not delivered yet fails.
         */
        delete: operations["removeWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes the given fields. `enabled` 1 also ends a pause after failures.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook endpoint a new secret
         * @description The new secret is shown once. For 24 hours requests are signed with both.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed test request to a webhook endpoint
         * @description Of the type `webhook_test`. Waits at most 15 seconds for the answer.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/retrigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the stored events of a transaction again
         * @description Sends every event of the transaction, at most the newest 500, again to the endpoints that subscribe to it. The `webhook-id` stays the same; timestamp and signature are new. Plugins of shops get nothing again.
         */
        post: operations["retriggerWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries and their attempts, newest first
         * @description One record per event and endpoint, and another one each time an event is sent again. With `webhook_id`, a record also has the sent text and the responses, and a page has at most 100. Deliveries to plugins of shops are not listed.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a test link on a development chain with a chosen scenario
         * @description Available only if the operator has set SANDBOX=on (otherwise 404), with a test key, and on networks whose nodes are development chains. Chooses a network if none is chosen, and expires the link for `late` and `underpaid`. bitcoin has no `wrong_token`, trc20 has no `replaced`.
         */
        post: operations["createSandboxPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    payment_link_completed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment link is paid.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_payment_link_completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payment_link_completed_overpaid: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment link is paid with too much.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_payment_link_completed_overpaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payment_link_failed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment link expired without a sufficient confirmed payment.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_payment_link_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payment_link_late: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment arrived after the link failed.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_payment_link_late"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payment_link_extra: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another payment arrived after the link was paid.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_payment_link_extra"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    payment_link_reverted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The chain dropped a payment of a completed payment link.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_payment_link_reverted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    deposit_credited: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A deposit is confirmed and credited.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_deposit_credited"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    deposit_reversed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The chain dropped a credited deposit.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_deposit_reversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    small_deposits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deposits below the minimum were credited or reversed: one event a minute and payment link.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_small_deposits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    withdrawal_completed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A withdrawal is confirmed on the chain.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_withdrawal_completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    withdrawal_failed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A withdrawal failed and is refunded.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_withdrawal_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    withdrawal_approval_needed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A withdrawal waits for the approval of an owner or manager.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_withdrawal_approval_needed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    refund_completed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A refund of a payment is confirmed on the chain. withdrawal_completed reports it, too.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_refund_completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    webhook_endpoint_disabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another webhook endpoint of the merchant is disabled.
         * @description Check `webhook-signature` with the raw bytes of the body before you read it.
         */
        post: operations["receive_webhook_endpoint_disabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        PaymentLinkEventData: {
            /** @description Link identifier. */
            refid: string;
            /** @description The merchant's reference, as submitted. */
            payment_reference: string;
            /** @description URL of the hosted payment page. */
            payment_link: string;
            /** @enum {string} */
            state: "open" | "awaiting" | "partial" | "detected" | "completed" | "overpaid" | "failed" | "expired";
            /** @enum {string|null} */
            reason: "underpaid" | "unconfirmed" | "expired" | "canceled" | null;
            /** @description A payment that completed the link, or that came after it had failed, is late. */
            late: boolean;
            /** @description Number of this event within its link. Handle an event only if its number is higher than the highest that you have handled for this link: repeats may have another webhook-id. */
            seq: number;
            /**
             * @description Environment of the merchant's key.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description In the currency of the link.
             * @example 25.5
             */
            amount_required: string;
            /** @description Currency code, lower case. */
            amount_currency: string;
            /** Format: date-time */
            expires_at: string;
            /** @description At most 20, in the order of their arrival: the newest, and those below the minimum only if there is room. */
            payments: components["schemas"]["PaymentLinkEventDataPayment"][];
            /**
             * @description Number of all payments of the link.
             * @example 1
             */
            payments_count: number;
            /** @description Credited amounts per network and token. */
            received: components["schemas"]["PaymentLinkEventDataReceived"][];
            /** @description Missing amount per selected network. */
            remaining: components["schemas"]["PaymentLinkEventDataRemaining"][];
            /** @description What is credited and not needed, less what was refunded. */
            excess: components["schemas"]["PaymentLinkEventDataExcess"][];
            customer: components["schemas"]["PaymentLinkEventDataCustomer"];
            /** @description As submitted, byte for byte; null without metadata. */
            metadata: unknown;
        };
        DepositEventData: {
            /**
             * @description Deposit reference, numeric text.
             * @example 1042
             */
            ref: string;
            /**
             * @description 0: seen; 1: credited; 2: dropped by the chain; 3: held.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3;
            /**
             * @description 1: the address is the merchant's own.
             * @enum {integer}
             */
            genesis: 0 | 1;
            /** @description E-mail address of the merchant. */
            email: string;
            /**
             * @description Whole tokens.
             * @example 25.5
             */
            value: string;
            /** @example bep20 */
            network: string;
            /** @example usdt */
            token: string;
            /** @description Address that received the deposit. */
            address: string;
            /** @description null if a payment has no single sender (bitcoin). */
            sender: string | null;
            /** @description XRP destination tag, else null. */
            extra: string | null;
            tx_hash: string;
            /** @description Output index on UTXO chains, log index on chains with logs; null for their own coin. */
            output_pos: number | null;
            /** @description E-mail address of the customer. */
            customer: string | null;
            /**
             * @description Whole tokens credited to the address in this token so far.
             * @example 25.5
             */
            total_received: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            /**
             * @description Environment of the merchant's key.
             * @enum {string}
             */
            environment: "live" | "test";
            /** @description Payment link that the deposit paid. */
            refid: string | null;
        };
        SmallDepositsEventData: {
            /** @description Payment link that the deposits paid. */
            refid: string;
            /** @description The merchant's reference, as submitted. */
            payment_reference: string;
            /**
             * @description Environment of the merchant's key.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description Number of the credited deposits.
             * @example 1
             */
            credited_count: number;
            /** @description Their amounts per network and token. */
            credited: components["schemas"]["SmallDepositsEventDataCredited"][];
            /**
             * @description Number of the reversed deposits.
             * @example 0
             */
            reversed_count: number;
            /** @description Their amounts per network and token. */
            reversed: components["schemas"]["SmallDepositsEventDataReversed"][];
            /** @description The newest of them, at most 20, oldest first. */
            deposits: components["schemas"]["SmallDepositsEventDataDeposit"][];
        };
        WithdrawalEventData: {
            /** @description Record number. */
            id: number;
            /**
             * @description Send reference, numeric text.
             * @example 4821907735610284
             */
            refid: string;
            /**
             * @description 1: balance, address and limits were checked.
             * @enum {integer}
             */
            checked: 0 | 1;
            /**
             * @description 0: pending; 1: processing; 2: failed; 3: completed; 5: refund queued.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3 | 5;
            /** @description E-mail address of the merchant. */
            email: string;
            /**
             * @description Whole tokens sent.
             * @example 25.5
             */
            value: string;
            /** @description Destination address. */
            _to: string;
            /** @example usdt */
            token: string;
            /** @example bep20 */
            network: string;
            /**
             * @description Whole tokens, in addition to the value.
             * @example 25.5
             */
            fee: string;
            /** @description Contract of the token; null for the network's own coin. */
            contract: string | null;
            tx_hash: string | null;
            /**
             * Format: date-time
             * @description When it completed or failed.
             */
            processed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Environment of the merchant's key.
             * @enum {string}
             */
            environment: "live" | "test";
        };
        RefundEventData: {
            /** @description Record number. */
            id: number;
            /**
             * @description Send reference, numeric text.
             * @example 4821907735610284
             */
            refid: string;
            /**
             * @description 1: balance, address and limits were checked.
             * @enum {integer}
             */
            checked: 0 | 1;
            /**
             * @description 0: pending; 1: processing; 2: failed; 3: completed; 5: refund queued.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3 | 5;
            /** @description E-mail address of the merchant. */
            email: string;
            /**
             * @description Whole tokens sent.
             * @example 25.5
             */
            value: string;
            /** @description Destination address. */
            _to: string;
            /** @example usdt */
            token: string;
            /** @example bep20 */
            network: string;
            /**
             * @description Whole tokens, in addition to the value.
             * @example 25.5
             */
            fee: string;
            /** @description Contract of the token; null for the network's own coin. */
            contract: string | null;
            tx_hash: string | null;
            /**
             * Format: date-time
             * @description When it completed or failed.
             */
            processed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Environment of the merchant's key.
             * @enum {string}
             */
            environment: "live" | "test";
            /** @description Identifier of the payment link that is refunded. */
            payment_link: string;
        };
        WebhookEndpointEventData: {
            /** @description Number of the disabled endpoint. */
            id: number;
            url: string | null;
            /**
             * @description gone: it answered 410; failing: it accepted nothing for five days.
             * @enum {string}
             */
            reason: "gone" | "failing";
            /**
             * Format: date-time
             * @description First failure after its last success.
             */
            failing_since: string | null;
            /** Format: date-time */
            disabled_at: string;
            /**
             * @description Environment of the merchant's key.
             * @enum {string}
             */
            environment: "live" | "test";
        };
        SupportedNetwork: {
            network: string;
            tokens: string[];
        };
        Failure: {
            /** @enum {string} */
            status: "fail" | "bad";
            /** @description One of the listed texts, word for word. */
            message: string;
            /** @description Stable name of the error, for programs. */
            code: string;
            /**
             * Format: uri-reference
             * @description Where the code is explained.
             */
            doc_url: string;
        };
        CreatedPaymentLink: {
            /** @description Identifier of the link. */
            refid: string;
            /** @description Your reference, as submitted. */
            payment_reference: string;
            /** @description Address of the hosted payment page. */
            payment_link: string;
            wallets: components["schemas"]["PaymentLinkWallet"][];
            /**
             * @description 1: its addresses were allocated when it was created; 0: on demand.
             * @enum {integer}
             */
            wallet_pre_generated: 0 | 1;
            /**
             * Format: double
             * @description As submitted, in the currency.
             */
            amount_required: string;
            /** @description Currency code, lower case. */
            amount_currency: string;
            /** Format: date-time */
            expires_at: string;
        };
        PaymentLinkWallet: {
            address: string;
            network: string;
            token: string;
        };
        PaymentLinkSummary: {
            /** @description Identifier of the link. */
            refid: string;
            /** @description Your reference, as submitted. */
            payment_reference: string;
            /** @description Address of the hosted payment page. */
            payment_link: string;
            wallets: components["schemas"]["PaymentLinkWallet"][];
            /**
             * @description 1: its addresses were allocated when it was created; 0: on demand.
             * @enum {integer}
             */
            wallet_pre_generated: 0 | 1;
            /**
             * Format: double
             * @description As submitted, in the currency.
             */
            amount_required: string;
            /** @description Currency code, lower case. */
            amount_currency: string;
            /** Format: date-time */
            expires_at: string;
            /** @enum {string} */
            state: "open" | "awaiting" | "partial" | "detected" | "completed" | "overpaid" | "failed" | "expired";
            /** @description Increases with every visible change. */
            version: number;
            /** @description Number of its last event; 0: no event yet. */
            seq: number;
            /** @description A payment that completed the link, or that came after it had failed, is late. */
            late: boolean;
            /** @enum {string|null} */
            reason: "underpaid" | "unconfirmed" | "expired" | "canceled" | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
            customer_details: components["schemas"]["LinkCustomer"];
            /** @description Exactly as it was sent; null without metadata. In a list with `metadata=1` only. */
            metadata?: unknown;
            success_url: string;
            cancel_url: string;
            /**
             * @description What the payer reads about the order.
             * @example Two bags of coffee, delivered on Friday
             */
            description: string | null;
        };
        LinkCustomer: {
            email: string;
            first_name: string;
            last_name: string;
            phone: string | null;
        };
        PageMeta: {
            has_more: boolean;
            /** @description `cursor` of the next page. */
            next_cursor: string | null;
            /** @description With `count=1`: the number of all rows. */
            total?: number;
        };
        PaymentLink: {
            /** @description Identifier of the link. */
            refid: string;
            /** @description Your reference, as submitted. */
            payment_reference: string;
            /** @description Address of the hosted payment page. */
            payment_link: string;
            wallets: components["schemas"]["PaymentLinkWallet"][];
            /**
             * @description 1: its addresses were allocated when it was created; 0: on demand.
             * @enum {integer}
             */
            wallet_pre_generated: 0 | 1;
            /**
             * Format: double
             * @description As submitted, in the currency.
             */
            amount_required: string;
            /** @description Currency code, lower case. */
            amount_currency: string;
            /** Format: date-time */
            expires_at: string;
            /** @enum {string} */
            state: "open" | "awaiting" | "partial" | "detected" | "completed" | "overpaid" | "failed" | "expired";
            /** @description Increases with every visible change. */
            version: number;
            /** @description Number of its last event; 0: no event yet. */
            seq: number;
            /** @description A payment that completed the link, or that came after it had failed, is late. */
            late: boolean;
            /** @enum {string|null} */
            reason: "underpaid" | "unconfirmed" | "expired" | "canceled" | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            completed_at: string | null;
            customer_details: components["schemas"]["LinkCustomer"];
            /** @description Exactly as it was sent; null without metadata. */
            metadata: unknown;
            success_url: string;
            cancel_url: string;
            /**
             * @description What the payer reads about the order.
             * @example Two bags of coffee, delivered on Friday
             */
            description: string | null;
            /** @description The positions of the order. Empty if none were sent. */
            items: components["schemas"]["LinkItem"][];
            /** @description Every quote shown to the payer, valid ones first. */
            quotes: components["schemas"]["Quote"][];
            /** @description At most 20, in the order in which they were seen: the newest, and those below the minimum only if there is room. */
            payments: components["schemas"]["Payment"][];
            /** @description Number of all payments of the link. */
            payments_count: number;
            /** @description Amount that would complete the link now, per chosen network. */
            remaining: components["schemas"]["TokenAmount"][];
            /** @description What is credited and not needed for the amount, less what was refunded, per network and token. */
            excess: components["schemas"]["TokenAmount"][];
        };
        LinkItem: {
            name: string;
            quantity: number;
            /**
             * Format: double
             * @description For the whole quantity, in the currency of the link.
             */
            amount: string;
        };
        Quote: {
            network: string;
            token: string;
            address: string;
            /**
             * Format: double
             * @description Amount that pays the whole link, in the token.
             */
            amount: string;
            /**
             * Format: double
             * @description Units of the currency per whole token.
             */
            rate: string;
            rate_source: string;
            /** Format: date-time */
            rate_at: string;
            /** Format: date-time */
            valid_until: string;
            live: boolean;
        };
        Payment: {
            network: string;
            token: string;
            address: string;
            tx_hash: string;
            output_pos: number | null;
            /** Format: double */
            amount: string;
            /**
             * Format: double
             * @description Fraction of the link that it pays; null while no rate is available.
             */
            worth: string | null;
            confirmations: number;
            required_confirmations: number;
            /**
             * @description 0: seen; 1: credited; 2: removed from the chain.
             * @enum {integer}
             */
            status: 0 | 1 | 2;
            /** @description First seen after the second of `expires_at`, or credited after the link had failed without it. */
            late: boolean;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            confirmed_at: string | null;
        };
        TokenAmount: {
            network: string;
            token: string;
            /** Format: double */
            amount: string;
        };
        Form: {
            /** @description Identifier of the form. */
            form: string;
            /** @description Address of its page. */
            form_url: string;
            title: string;
            description: string | null;
            /** @description WebP. The operator sets it with a command. */
            picture_url: string | null;
            /**
             * Format: double
             * @description null: the payer chooses it.
             */
            amount: string | null;
            /** @description Currency code, lower case. */
            amount_currency: string;
            /** Format: double */
            minimum_amount: string | null;
            /** Format: double */
            maximum_amount: string | null;
            suggested_amounts: string[];
            ask: string[];
            fields: string[];
            max_quantity: number;
            stock: number | null;
            /** Format: double */
            total_limit: string | null;
            /** @description Units of the links that are paid or can still be. A link that expires or fails gives them back. */
            taken_quantity: number;
            /**
             * Format: double
             * @description The amount of the same links.
             */
            taken_amount: string;
            payment_reference: string;
            success_url: string | null;
            cancel_url: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            archived_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Deposit: {
            /**
             * @description Deposit reference, numeric text.
             * @example 1042
             */
            ref: string;
            /**
             * @description 1: credited. Only if `include` asks for them, 0: seen; 2: removed from the chain.
             * @enum {integer}
             */
            status: 0 | 1 | 2;
            /**
             * @description 1: the address is the merchant's own.
             * @enum {integer}
             */
            genesis: 0 | 1;
            /** @description The merchant's e-mail address. */
            email: string;
            /**
             * Format: double
             * @description Whole tokens, exact.
             * @example 25.5
             */
            value: string;
            /** @example bep20 */
            network: string;
            /** @example usdt */
            token: string;
            /** @description Address that received it. */
            address: string;
            /** @description Empty if the payment has no single sender (bitcoin). */
            sender: string;
            /** @description XRP destination tag, else null. */
            extra: string | null;
            tx_hash: string;
            /** @description Output index on UTXO chains, log index on chains with logs. null for the network's own coin there. */
            output_pos: number | null;
            /** @description The customer's e-mail address. */
            customer: string | null;
            /**
             * Format: double
             * @description Whole tokens credited to the address in this token so far, exact.
             */
            total_received: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        DepositWithOthers: {
            /**
             * @description Deposit reference, numeric text.
             * @example 1042
             */
            ref: string;
            /**
             * @description 1: credited. Only if `include` asks for them, 0: seen; 2: removed from the chain.
             * @enum {integer}
             */
            status: 0 | 1 | 2;
            /**
             * @description 1: the address is the merchant's own.
             * @enum {integer}
             */
            genesis: 0 | 1;
            /** @description The merchant's e-mail address. */
            email: string;
            /**
             * Format: double
             * @description Whole tokens, exact.
             * @example 25.5
             */
            value: string;
            /** @example bep20 */
            network: string;
            /** @example usdt */
            token: string;
            /** @description Address that received it. */
            address: string;
            /** @description Empty if the payment has no single sender (bitcoin). */
            sender: string;
            /** @description XRP destination tag, else null. */
            extra: string | null;
            tx_hash: string;
            /** @description Output index on UTXO chains, log index on chains with logs. null for the network's own coin there. */
            output_pos: number | null;
            /** @description The customer's e-mail address. */
            customer: string | null;
            /**
             * Format: double
             * @description Whole tokens credited to the address in this token so far, exact.
             */
            total_received: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            /** @description Present if the transaction pays several outputs: the others, by position, at most 500. */
            others?: components["schemas"]["Deposit"][];
        };
        DepositStatusViewWithOthers: {
            /**
             * @description 1: credited. Only if `include` asks for them, 0: seen; 2: removed from the chain.
             * @enum {integer}
             */
            status: 0 | 1 | 2;
            /** @description The merchant's e-mail address. */
            email: string;
            /**
             * Format: double
             * @description Whole tokens, exact.
             * @example 25.5
             */
            value: string;
            /** @example bep20 */
            network: string;
            /** @description Present if the transaction pays several outputs: the others, by position, at most 500. */
            others?: components["schemas"]["DepositStatusView"][];
        };
        DepositStatusView: {
            /**
             * @description 1: credited. Only if `include` asks for them, 0: seen; 2: removed from the chain.
             * @enum {integer}
             */
            status: 0 | 1 | 2;
            /** @description The merchant's e-mail address. */
            email: string;
            /**
             * Format: double
             * @description Whole tokens, exact.
             * @example 25.5
             */
            value: string;
            /** @example bep20 */
            network: string;
        };
        NetworkFee: {
            network: string;
            /**
             * @description The network's own coin, in which the fee is paid.
             * @example bnb
             */
            token: string;
            /**
             * Format: double
             * @description Whole coins, exact.
             * @example 0.00000325
             */
            fee: string;
            /** @description bitcoin, litecoin, dogecoin: estimated size of the transaction. */
            virtual_bytes?: number;
            rates?: components["schemas"]["NetworkFeeRates"];
            /**
             * @description erc20, bep20, base: gas of a token transfer.
             * @example 65000
             */
            gas?: number;
            /**
             * Format: double
             * @description The same networks: Gwei, exact.
             * @example 0.05
             */
            gas_price?: string;
        };
        FeeQuote: {
            /**
             * Format: double
             * @description Percent.
             * @example 1
             */
            percentage: string;
            /** @example usdt */
            symbol: string;
            /**
             * Format: double
             * @description Fee for the amount, in whole tokens, rounded up to the token's smallest unit.
             * @example 1.505
             */
            fee?: string;
        };
        Withdrawal: {
            /** @description Record number. */
            id: number;
            /**
             * @description Send reference, numeric text.
             * @example 4821907735610284
             */
            refid: string;
            /**
             * @description 1: balance, address and limits were checked and the funds reserved.
             * @enum {integer}
             */
            checked: 0 | 1;
            /**
             * @description 0: pending; 1: processing; 2: failed; 3: completed successfully; 5: refund queued.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3 | 5;
            /** @description The merchant's e-mail address. */
            email: string;
            /**
             * Format: double
             * @description Amount sent, in whole tokens.
             * @example 12.5
             */
            value: string;
            /** @description Destination address. */
            _to: string;
            /**
             * @description Symbol, lower case.
             * @example usdt
             */
            token: string;
            /** @example bep20 */
            network: string;
            /**
             * Format: double
             * @description Charged in addition to the value, in whole tokens.
             * @example 1
             */
            fee: string;
            /** @description Contract of the token; null: the network's own coin. */
            contract: string | null;
            /** @description Transaction hash, as soon as it is known. */
            tx_hash: string | null;
            /**
             * Format: date-time
             * @description Time when it completed or failed.
             */
            processed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AskedWithdrawal: {
            /** @description Record number. */
            id: number;
            /**
             * @description Send reference, numeric text.
             * @example 4821907735610284
             */
            refid: string;
            /**
             * @description 1: balance, address and limits were checked and the funds reserved.
             * @enum {integer}
             */
            checked: 0 | 1;
            /**
             * @description 0: pending; 1: processing; 2: failed; 3: completed successfully; 5: refund queued.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3 | 5;
            /** @description The merchant's e-mail address. */
            email: string;
            /**
             * Format: double
             * @description Amount sent, in whole tokens.
             * @example 12.5
             */
            value: string;
            /** @description Destination address. */
            _to: string;
            /**
             * @description Symbol, lower case.
             * @example usdt
             */
            token: string;
            /** @example bep20 */
            network: string;
            /**
             * Format: double
             * @description Charged in addition to the value, in whole tokens.
             * @example 1
             */
            fee: string;
            /** @description Contract of the token; null: the network's own coin. */
            contract: string | null;
            /** @description Transaction hash, as soon as it is known. */
            tx_hash: string | null;
            /**
             * Format: date-time
             * @description Time when it completed or failed.
             */
            processed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description 1: an owner or manager of the merchant has yet to approve it.
             * @enum {integer}
             */
            waits_for_approval: 0 | 1;
        };
        /** @description With `to` the members of a withdrawal, without `to` those of a refund claim and `refund_url`. */
        Refund: {
            /** @description Record number. */
            id?: number;
            /**
             * @description Send reference, numeric text.
             * @example 4821907735610284
             */
            refid?: string;
            /**
             * @description 1: balance, address and limits were checked and the funds reserved.
             * @enum {integer}
             */
            checked?: 0 | 1;
            /**
             * @description 0: pending; 1: processing; 2: failed; 3: completed successfully; 5: refund queued.
             * @enum {integer}
             */
            status?: 0 | 1 | 2 | 3 | 5;
            /** @description The merchant's e-mail address. */
            email?: string;
            /**
             * Format: double
             * @description Amount sent, in whole tokens.
             * @example 12.5
             */
            value?: string;
            /** @description Destination address. */
            _to?: string;
            /**
             * @description Symbol, lower case.
             * @example usdt
             */
            token: string;
            /** @example bep20 */
            network: string;
            /**
             * Format: double
             * @description Charged in addition to the value, in whole tokens.
             * @example 1
             */
            fee?: string;
            /** @description Contract of the token; null: the network's own coin. */
            contract?: string | null;
            /** @description Transaction hash, as soon as it is known. */
            tx_hash?: string | null;
            /**
             * Format: date-time
             * @description Time when it completed or failed.
             */
            processed_at?: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at?: string;
            /**
             * @description 1: an owner or manager of the merchant has yet to approve it.
             * @enum {integer}
             */
            waits_for_approval?: 0 | 1;
            /**
             * @description Record number.
             * @example 7
             */
            claim?: number;
            /**
             * @description open: the customer can enter an address. used: it became a withdrawal.
             * @example open
             * @enum {string}
             */
            state?: "open" | "used" | "revoked" | "expired";
            /**
             * Format: double
             * @description What arrives, in whole tokens.
             * @example 12.5
             */
            amount?: string;
            /**
             * @description What the customer reads.
             * @example null
             */
            note?: string | null;
            /**
             * @description 1: a mail brings the URL to the customer.
             * @enum {integer}
             */
            mailed?: 0 | 1;
            /**
             * @description Send reference of the withdrawal that it became.
             * @example null
             */
            withdrawal?: string | null;
            /**
             * @description Why the customer's last address became no withdrawal.
             * @example null
             */
            problem?: string | null;
            /** Format: date-time */
            expires_at?: string;
            /** @description Of a claim. The customer enters the address here, and anyone who has the URL can. Shown here only; null once the claim was used or revoked, and for the same request with another key than the one that created it. */
            refund_url?: string | null;
        };
        RefundClaim: {
            /**
             * @description Record number.
             * @example 7
             */
            claim: number;
            /**
             * @description open: the customer can enter an address. used: it became a withdrawal.
             * @example open
             * @enum {string}
             */
            state: "open" | "used" | "revoked" | "expired";
            /** @example bep20 */
            network: string;
            /**
             * @description Symbol, lower case.
             * @example usdt
             */
            token: string;
            /**
             * Format: double
             * @description What arrives, in whole tokens.
             * @example 12.5
             */
            amount: string;
            /**
             * @description What the customer reads.
             * @example null
             */
            note: string | null;
            /**
             * @description 1: a mail brings the URL to the customer.
             * @enum {integer}
             */
            mailed: 0 | 1;
            /**
             * @description Send reference of the withdrawal that it became.
             * @example null
             */
            withdrawal: string | null;
            /**
             * @description Why the customer's last address became no withdrawal.
             * @example null
             */
            problem: string | null;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        UnmatchedDeposit: {
            ref: string;
            /**
             * @description 0: not confirmed yet; 3: held.
             * @enum {integer}
             */
            status: 0 | 3;
            /**
             * @description other_network: the address was allocated for another network; other_token: its payment link asks for another token; no_purpose: the address has no purpose; before_allocation: its block is older than the allocation of the address; unknown_token: the service does not know the token.
             * @example unknown_token
             */
            reason: string;
            /** @enum {integer} */
            genesis: 0 | 1;
            email: string;
            /**
             * Format: double
             * @description null if the token is unknown.
             */
            value: string | null;
            /**
             * Format: double
             * @description For an unknown token: the integer amount in its contract. Its decimals are not known.
             */
            raw_value: string | null;
            /** @description Network of the transfer. */
            network: string;
            /** @description Network for which the address was allocated. */
            address_network: string;
            token: string | null;
            /** @description For an unknown token. */
            contract: string | null;
            address: string;
            sender: string | null;
            /** @description XRP destination tag, else null. */
            extra: string | null;
            tx_hash: string;
            output_pos: number | null;
            customer: string | null;
            confirmations: number | null;
            required_confirmations: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        Balance: {
            id: number;
            /**
             * Format: double
             * @description Bitcoin, whole tokens. Absent if another token was requested.
             * @example 0
             */
            btc?: string;
            /**
             * Format: double
             * @description Ether, whole tokens. Absent if another token was requested.
             * @example 0
             */
            eth?: string;
            /**
             * Format: double
             * @description Tether USD, whole tokens. Absent if another token was requested.
             * @example 0
             */
            usdt?: string;
            /**
             * Format: double
             * @description TRON, whole tokens. Absent if another token was requested.
             * @example 0
             */
            trx?: string;
            /**
             * Format: double
             * @description Solana, whole tokens. Absent if another token was requested.
             * @example 0
             */
            sol?: string;
            /**
             * Format: double
             * @description BNB, whole tokens. Absent if another token was requested.
             * @example 0
             */
            bnb?: string;
            /**
             * Format: double
             * @description Litecoin, whole tokens. Absent if another token was requested.
             * @example 0
             */
            ltc?: string;
            /**
             * Format: double
             * @description Dogecoin, whole tokens. Absent if another token was requested.
             * @example 0
             */
            doge?: string;
            /**
             * Format: double
             * @description Bitcoin Cash, whole tokens. Absent if another token was requested.
             * @example 0
             */
            bch?: string;
            /**
             * Format: double
             * @description XRP, whole tokens. Absent if another token was requested.
             * @example 0
             */
            xrp?: string;
            /**
             * Format: double
             * @description Shiba Inu, whole tokens. Absent if another token was requested.
             * @example 0
             */
            shib?: string;
            /**
             * Format: double
             * @description Cardano, whole tokens. Absent if another token was requested.
             * @example 0
             */
            ada?: string;
            /**
             * Format: double
             * @description Trust Wallet Token, whole tokens. Absent if another token was requested.
             * @example 0
             */
            twt?: string;
            /**
             * Format: double
             * @description Binance USD, whole tokens. Absent if another token was requested.
             * @example 0
             */
            busd?: string;
            /**
             * Format: double
             * @description Compound, whole tokens. Absent if another token was requested.
             * @example 0
             */
            comp?: string;
            /**
             * Format: double
             * @description USD Coin, whole tokens. Absent if another token was requested.
             * @example 0
             */
            usdc?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description Always null.
             */
            deleted_at: string | null;
        };
        HistoryEntry: {
            /** @description Unique among entries of the same status. */
            id: number;
            /**
             * @description 1: executed; 0: refused by a rule.
             * @enum {integer}
             */
            status: 1 | 0;
            /** @enum {string} */
            direction: "credit" | "debit";
            /**
             * Format: double
             * @description Whole tokens, like balance_after and amount.
             */
            balance_before: string;
            /** Format: double */
            balance_after: string;
            email: string;
            token: string;
            /** Format: double */
            amount: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description Always null.
             */
            deleted_at: string | null;
        };
        Statistics: {
            /**
             * Format: double
             * @description Credit plus debit, in USD.
             */
            total_volume: string;
            /**
             * Format: double
             * @description Total of credits, in USD.
             */
            total_credit: string;
            /**
             * Format: double
             * @description Total of debits, in USD.
             */
            total_debit: string;
        };
        WalletMetrics: {
            /** @description Allocated addresses, for any purpose. */
            totalWalletGenerated: number;
            /** @description Always 0: every address stays watched. */
            totalDeletedWallets: number;
            breakdownByNetwork: components["schemas"]["WalletMetricsBreakdownByNetwork"][];
        };
        GeneratedWallet: {
            /** @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 */
            address: string;
            /** @description On xrp, the destination tag of the X-address, for wallets that ask for it separately. */
            extra?: string;
        };
        NetworkConfiguration: {
            id: number;
            /** @enum {string} */
            network: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
            /**
             * @description 1: enabled. 0 if the service has no node or account key for it in this environment.
             * @enum {integer}
             */
            status: 0 | 1;
            /**
             * @description 1: withdrawals are possible. 0 while `status` is 0, like the next two.
             * @enum {integer}
             */
            send: 0 | 1;
            /**
             * @description 1: payments are accepted.
             * @enum {integer}
             */
            receive: 0 | 1;
            /**
             * @description 1: addresses can be generated.
             * @enum {integer}
             */
            generate: 0 | 1;
            /**
             * @description URL of a transaction in the block explorer; `{tx}` is replaced by the hash.
             * @example https://bscscan.com/tx/{tx}
             */
            tx_explorer: string;
            /**
             * @description URL of an address in the block explorer; `{address}` is replaced by the address.
             * @example https://bscscan.com/address/{address}
             */
            addr_explorer: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        Address: {
            address: string;
            network: string;
            /**
             * Format: double
             * @description Amount credited to the address so far, in USDT if the network has it in this environment, otherwise in the network's own coin.
             */
            total_received: string;
            /**
             * @description 1: the merchant's own; 0: of a customer or a payment link.
             * @enum {integer}
             */
            genesis: 0 | 1;
            /** @description The customer's e-mail address. */
            customer: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TokenConfiguration: {
            id: number;
            token: string;
            /**
             * Format: double
             * @description Price of one token, for display: the last known price, even if it is too old for a buy. See `price_state`. null only before the first price.
             */
            price_usd: string | null;
            /** @enum {integer} */
            status: 0 | 1;
            /** @enum {integer} */
            send: 0 | 1;
            /** @enum {integer} */
            receive: 0 | 1;
            /** @enum {integer} */
            buy: 0 | 1;
            /** @enum {integer} */
            sell: 0 | 1;
            /** @enum {integer} */
            swap: 0 | 1;
            /**
             * Format: double
             * @description Whole tokens, like all amounts below.
             */
            minimum_trade: string;
            /** Format: double */
            maximum_trade: string;
            /** Format: double */
            minimum_send: string;
            /** Format: double */
            maximum_send: string;
            /** Format: double */
            minimum_receive: string;
            /** Format: double */
            maximum_receive: string;
            /** Format: double */
            send_fee: string;
            /**
             * @description A JSON array of network codes, as a string: the networks of the token where the settings of both allow it. get-network shows if the network is configured.
             * @example ["trc20","bep20"]
             */
            send_networks: string;
            /**
             * @description A JSON array of network codes, as a string: the networks of the token where the settings of both allow it. get-network shows if the network is configured.
             * @example ["trc20","bep20"]
             */
            receive_networks: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description Always null.
             */
            deleted_at: string | null;
            /**
             * @description current: a buy is priced with it. last_known: there is no current price, buys are refused, and `price_usd` is the last one. none: there was never a price.
             * @enum {string}
             */
            price_state: "current" | "last_known" | "none";
            /**
             * Format: date-time
             * @description The time of `price_usd`.
             */
            price_at: string | null;
        };
        Customer: {
            id: number;
            email: string;
            first_name: string;
            last_name: string;
            phone_number: string | null;
            /**
             * @description 1: the operator marked the customer as unwanted. The service does not act on it.
             * @enum {integer}
             */
            blacklisted: 0 | 1;
            /**
             * @description 1: the operator has verified the customer's identity.
             * @enum {integer}
             */
            verified: 0 | 1;
            /** Format: date-time */
            created_at: string;
        };
        WhitelistedIp: {
            id: number;
            /** @description The merchant's e-mail address. */
            merchant: string;
            ip_name: string;
            /**
             * @description An IPv4 or IPv6 address or CIDR range.
             * @example 198.51.100.0/24
             */
            ip_address: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        AddedWhitelistedIp: {
            id: number;
        };
        Merchant: {
            email: string;
            /** @example Kaduna Coffee */
            name: string;
            /**
             * @description E-mail address, https URL or telephone number for help to customers.
             * @example help@shop.example.com
             */
            support: string | null;
            /**
             * @description Color of the page.
             * @example #c81e1e
             */
            accent: string | null;
            /**
             * @description SHA-256 of the logo, in hex.
             * @example null
             */
            logo: string | null;
            /** @enum {string} */
            late_policy: "hold" | "accept";
            /**
             * @description What may be missing, 0 to 9999 basis points.
             * @example 0
             */
            tolerance_under_bps: number;
            /**
             * @description The most that may be missing, in whole units of the link's currency; null: no limit but the basis points.
             * @example 1
             */
            tolerance_under_max: number | null;
            /**
             * @description What may be too much, 0 to 10000 basis points.
             * @example 0
             */
            tolerance_over_bps: number;
            /**
             * @description 1: amounts of stablecoins that payers are asked for are rounded up to a cent.
             * @enum {integer}
             */
            round_stablecoins: 0 | 1;
            /**
             * @description What is added to each rate, 0 to 10000 basis points.
             * @example 0
             */
            rate_markup_bps: number;
            /**
             * @description Rates instead of the market's.
             * @example usdt/ngn=1600
             */
            fixed_rates: string | null;
            /**
             * @description Networks and tokens that links offer, in their order.
             * @example [
             *       "bep20/usdt"
             *     ]
             */
            pairs: string[];
            /**
             * @description Web origins that may frame the page.
             * @example [
             *       "https://shop.example.com"
             *     ]
             */
            allow_origins: string[];
            /** Format: date-time */
            updated_at: string;
        };
        Member: {
            /** @example Ada Obi */
            name: string;
            email: string;
            /**
             * @example owner
             * @enum {string}
             */
            role: "owner" | "manager" | "developer" | "accountant" | "cashier";
            /** Format: date-time */
            since: string;
        };
        ApiKey: {
            id: number;
            /**
             * @example read
             * @enum {string}
             */
            scope: "full" | "read" | "payment-links" | "withdrawals" | "webhooks" | "settings" | "greenfield";
            /** @example x7Qd */
            last4: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            revoked_at: string | null;
        };
        CreatedApiKey: {
            id: number;
            /**
             * @example read
             * @enum {string}
             */
            scope: "full" | "read" | "payment-links" | "withdrawals" | "webhooks" | "settings" | "greenfield";
            /** @example x7Qd */
            last4: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description To the minute.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            revoked_at: string | null;
            /**
             * @description Shown here only.
             * @example pl_test_…
             */
            api_key: string;
        };
        WebhookEndpoint: {
            id: number;
            /** @description null: it has a secret, but no URL yet. */
            url: string | null;
            /**
             * @description The event types that it accepts. null: every type.
             * @example null
             */
            events: ("payment_link_completed" | "payment_link_completed_overpaid" | "payment_link_failed" | "payment_link_late" | "payment_link_extra" | "payment_link_reverted" | "deposit_credited" | "deposit_reversed" | "small_deposits" | "withdrawal_completed" | "withdrawal_failed" | "withdrawal_approval_needed" | "refund_completed" | "webhook_endpoint_disabled")[] | null;
            /**
             * @description 0: off, by you or because it failed for days.
             * @enum {integer}
             */
            enabled: 0 | 1;
            /**
             * Format: date-time
             * @description First failure since the last success.
             */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookEndpointWithSecret: {
            id: number;
            /** @description null: it has a secret, but no URL yet. */
            url: string | null;
            /**
             * @description The event types that it accepts. null: every type.
             * @example null
             */
            events: ("payment_link_completed" | "payment_link_completed_overpaid" | "payment_link_failed" | "payment_link_late" | "payment_link_extra" | "payment_link_reverted" | "deposit_credited" | "deposit_reversed" | "small_deposits" | "withdrawal_completed" | "withdrawal_failed" | "withdrawal_approval_needed" | "refund_completed" | "webhook_endpoint_disabled")[] | null;
            /**
             * @description 0: off, by you or because it failed for days.
             * @enum {integer}
             */
            enabled: 0 | 1;
            /**
             * Format: date-time
             * @description First failure since the last success.
             */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            /**
             * @description Shown here only.
             * @example whsec_c2VjcmV0
             */
            webhook_secret: string;
        };
        WebhookTest: {
            /**
             * @description 1: the endpoint answered with a status from 200 to 299.
             * @enum {integer}
             */
            accepted: 0 | 1;
            /**
             * @description null: no answer.
             * @example 200
             */
            http_status: number | null;
            /** @example 120 */
            duration_ms: number;
        };
        RetriggeredEvents: {
            /** @description Number of events that are sent again. */
            retriggered_count: number;
            /** @description Numbers of the events: `webhook-id` is `evt_` and the number. */
            webhook_ids: number[];
            /** @description As submitted. */
            transaction_hash: string;
        };
        WebhookDelivery: {
            id: number;
            /** @description The `webhook-id` is `evt_` and this number. */
            webhook_id: number;
            type: string;
            endpoint_id: number;
            /** @description Current URL of the endpoint. */
            url: string | null;
            /**
             * @description `due`: being sent, or waiting for the next attempt.
             * @enum {string}
             */
            status: "due" | "delivered" | "failed";
            attempts: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            last_status: number | null;
            last_error: string | null;
            /** @description The exact text that is sent; null without `webhook_id`. */
            body: string | null;
            /** @description Oldest first, kept for 30 days. */
            log: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WebhookAttempt: {
            /** @description Starts at 1. An attempt of a killed worker is not in the log. */
            attempt: number;
            url: string;
            /**
             * Format: date-time
             * @description The `webhook-timestamp` is this time in whole seconds.
             */
            sent_at: string;
            duration_ms: number;
            /** @description HTTP status; null: no response. */
            status: number | null;
            error: string | null;
            /** @description The first 2 KiB of the response, read as UTF-8; null without `webhook_id`. */
            answer: string | null;
        };
        SandboxPayment: {
            refid: string;
            /** @enum {string} */
            scenario: "exact" | "short" | "over" | "underpaid" | "late" | "extra" | "wrong_token" | "replaced" | "reorganised";
            network: string;
            token: string;
            /** @description Address of the link that was paid. */
            address: string;
            /**
             * Format: double
             * @description Amount of each transaction, in whole tokens. With `amount`, `extra` pays the link first, and this is the second.
             */
            amount: string;
            /** @description Hashes of `transactions`, in the same order. */
            tx_hashes: string[];
            transactions: components["schemas"]["SandboxPaymentTransaction"][];
            /** @description Final state of the link and the webhook event for it; null with `amount`. */
            expected: {
                /** @enum {string} */
                state: "open" | "awaiting" | "partial" | "detected" | "completed" | "overpaid" | "failed" | "expired";
                /** @enum {string|null} */
                event: "payment_link_completed" | "payment_link_completed_overpaid" | "payment_link_failed" | "payment_link_late" | "payment_link_extra" | "payment_link_reverted" | "deposit_credited" | "deposit_reversed" | "small_deposits" | "withdrawal_completed" | "withdrawal_failed" | "withdrawal_approval_needed" | "refund_completed" | "webhook_endpoint_disabled" | null;
            } | null;
        };
        PaymentLinkEventDataPayment: {
            network: string;
            token: string;
            address: string;
            tx_hash: string;
            output_pos: number | null;
            /**
             * @description Whole tokens.
             * @example 25.5
             */
            amount: string;
            /** @description Fraction of the link as a decimal; null while no rate is available. */
            worth: string | null;
            confirmations: number;
            required_confirmations: number;
            /**
             * @description 0: seen; 1: credited; 2: dropped by the chain.
             * @enum {integer}
             */
            status: 0 | 1 | 2;
            late: boolean;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            confirmed_at: string | null;
        };
        PaymentLinkEventDataReceived: {
            network: string;
            token: string;
            /**
             * @description Whole tokens.
             * @example 25.5
             */
            amount: string;
        };
        PaymentLinkEventDataRemaining: {
            network: string;
            token: string;
            /**
             * @description Whole tokens.
             * @example 25.5
             */
            amount: string;
        };
        PaymentLinkEventDataExcess: {
            network: string;
            token: string;
            /**
             * @description Whole tokens.
             * @example 25.5
             */
            amount: string;
        };
        PaymentLinkEventDataCustomer: {
            email: string;
            first_name: string;
            last_name: string;
            phone: string | null;
        };
        SmallDepositsEventDataCredited: {
            network: string;
            token: string;
            /**
             * @description Whole tokens.
             * @example 25.5
             */
            amount: string;
        };
        SmallDepositsEventDataReversed: {
            network: string;
            token: string;
            /**
             * @description Whole tokens.
             * @example 25.5
             */
            amount: string;
        };
        SmallDepositsEventDataDeposit: {
            /**
             * @description Deposit reference, numeric text.
             * @example 1042
             */
            ref: string;
            /**
             * @description 0: seen; 1: credited; 2: dropped by the chain; 3: held.
             * @enum {integer}
             */
            status: 0 | 1 | 2 | 3;
            /**
             * @description 1: the address is the merchant's own.
             * @enum {integer}
             */
            genesis: 0 | 1;
            /** @description E-mail address of the merchant. */
            email: string;
            /**
             * @description Whole tokens.
             * @example 25.5
             */
            value: string;
            /** @example bep20 */
            network: string;
            /** @example usdt */
            token: string;
            /** @description Address that received the deposit. */
            address: string;
            /** @description null if a payment has no single sender (bitcoin). */
            sender: string | null;
            /** @description XRP destination tag, else null. */
            extra: string | null;
            tx_hash: string;
            /** @description Output index on UTXO chains, log index on chains with logs; null for their own coin. */
            output_pos: number | null;
            /** @description E-mail address of the customer. */
            customer: string | null;
            /**
             * @description Whole tokens credited to the address in this token so far.
             * @example 25.5
             */
            total_received: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        /** @description The same networks: recommended rates, satoshis per virtual byte. */
        NetworkFeeRates: {
            /**
             * Format: double
             * @description Within 2 blocks; `fee` is computed with it.
             */
            fastest: string;
            /**
             * Format: double
             * @description Within 3 blocks.
             */
            half_hour: string;
            /**
             * Format: double
             * @description Within 6 blocks.
             */
            hour: string;
            /**
             * Format: double
             * @description Within 144 blocks.
             */
            economy: string;
            /**
             * Format: double
             * @description The lowest rate that the node relays.
             */
            minimum: string;
        };
        WalletMetricsBreakdownByNetwork: {
            network: string;
            count: number;
        };
        SandboxPaymentTransaction: {
            tx_hash: string;
            /**
             * @description Current state of the transaction; waiting: not in a block yet.
             * @enum {string}
             */
            fate: "waiting" | "mined" | "replaced" | "reorganised";
            /** @description Contract of the paid token, if it is not the requested token. */
            contract: string | null;
        };
        GetSupportedNetworksAnswerData: {
            supported_networks: components["schemas"]["SupportedNetwork"][];
        };
        GetSupportedNetworksAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example supported networks retrieved successfully */
            message: string;
            data: components["schemas"]["GetSupportedNetworksAnswerData"];
        };
        /** @description email, first_name, last_name and optionally phone. The text of the object is accepted too. */
        CreatePaymentLinkRequestCustomerDetails: {
            email: string;
            first_name: string;
            last_name: string;
            phone?: string | null;
        };
        CreatePaymentLinkRequestWallet: {
            network: string;
            token: string;
        };
        CreatePaymentLinkRequestPair: {
            network: string;
            token: string;
        };
        CreatePaymentLinkRequestItem: {
            name: string;
            quantity: number;
            amount: string;
        };
        CreatePaymentLinkRequest: {
            /**
             * @description Greater than 0, at most 1e12, with at most the currency's decimals. Read exactly, never as a float.
             * @example 38250
             */
            amount: string;
            customer_details: components["schemas"]["CreatePaymentLinkRequestCustomerDetails"];
            /** @example ORDER1001 */
            payment_reference: string;
            /**
             * Format: uri
             * @example https://shop.example.com/thanks
             */
            success_url: string;
            /**
             * Format: uri
             * @example https://shop.example.com/thanks
             */
            cancel_url: string;
            /**
             * Format: date-time
             * @description Must be in the future, at most one year ahead. UTC unless it has a time zone. Default: 2 hours after creation.
             * @example 2030-01-31T12:00:00Z
             */
            expires_at?: string;
            /** @description Any JSON of at most 8 KiB, or its text. Stored verbatim and sent with every webhook of the link. */
            metadata?: unknown;
            /**
             * @description Default: `ngn`.
             * @enum {string}
             */
            amount_currency?: "ngn" | "usd" | "eur" | "gbp" | "ghs" | "kes" | "zar" | "xof" | "cad" | "aed" | "inr" | "btc" | "usdt" | "bif" | "clp" | "djf" | "gnf" | "isk" | "jpy" | "kmf" | "krw" | "pyg" | "rwf" | "ugx" | "vnd" | "vuv" | "xaf" | "xpf" | "bhd" | "iqd" | "jod" | "kwd" | "lyd" | "omr" | "tnd" | "afn" | "all" | "amd" | "aoa" | "ars" | "aud" | "awg" | "azn" | "bam" | "bbd" | "bdt" | "bmd" | "bnd" | "bob" | "brl" | "bsd" | "btn" | "bwp" | "byn" | "bzd" | "cdf" | "chf" | "cny" | "cop" | "crc" | "cup" | "cve" | "czk" | "dkk" | "dop" | "dzd" | "egp" | "ern" | "etb" | "fjd" | "fkp" | "gel" | "gip" | "gmd" | "gtq" | "gyd" | "hkd" | "hnl" | "htg" | "huf" | "idr" | "ils" | "irr" | "jmd" | "kgs" | "khr" | "kpw" | "kyd" | "kzt" | "lak" | "lbp" | "lkr" | "lrd" | "lsl" | "mad" | "mdl" | "mga" | "mkd" | "mmk" | "mnt" | "mop" | "mru" | "mur" | "mvr" | "mwk" | "mxn" | "myr" | "mzn" | "nad" | "nio" | "nok" | "npr" | "nzd" | "pab" | "pen" | "pgk" | "php" | "pkr" | "pln" | "qar" | "ron" | "rsd" | "rub" | "sar" | "sbd" | "scr" | "sdg" | "sek" | "sgd" | "shp" | "sle" | "sos" | "srd" | "ssp" | "stn" | "svc" | "syp" | "szl" | "thb" | "tjs" | "tmt" | "top" | "try" | "ttd" | "twd" | "tzs" | "uah" | "uyu" | "uzs" | "ved" | "ves" | "wst" | "xcd" | "xcg" | "yer" | "zmw" | "zwg" | "eth" | "bnb" | "trx" | "ltc" | "doge" | "sol" | "xrp" | "usdc";
            /**
             * @description Addresses to allocate now, at most one per network. The text of the array is accepted too.
             * @example [
             *       {
             *         "network": "bep20",
             *         "token": "USDT"
             *       }
             *     ]
             */
            wallets?: components["schemas"]["CreatePaymentLinkRequestWallet"][];
            /**
             * @description Pairs that the customer can choose from, in this order. The operator must have enabled them for the merchant. Default: all of the merchant's. The text of the array is accepted too.
             * @example [
             *       {
             *         "network": "erc20",
             *         "token": "ETH"
             *       }
             *     ]
             */
            pairs?: components["schemas"]["CreatePaymentLinkRequestPair"][];
            /**
             * @description What the payer reads about the order: one line of plain text. Anyone with the link sees it.
             * @example Two bags of coffee, delivered on Friday
             */
            description?: string;
            /**
             * @description The positions of the order, for the payer. An amount is that of the whole quantity. The amounts must add up to `amount`. The text of the array is accepted too.
             * @example [
             *       {
             *         "name": "Coffee, 1 kg",
             *         "quantity": 2,
             *         "amount": "36000"
             *       },
             *       {
             *         "name": "Delivery",
             *         "quantity": 1,
             *         "amount": "2250"
             *       }
             *     ]
             */
            items?: components["schemas"]["CreatePaymentLinkRequestItem"][];
        };
        CreatePaymentLinkAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example payment link generated successfully */
            message: string;
            data: components["schemas"]["CreatedPaymentLink"];
        };
        ListPaymentLinksAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example payment links retrieved successfully */
            message: string;
            data: components["schemas"]["PaymentLinkSummary"][];
            meta: components["schemas"]["PageMeta"];
        };
        GetPaymentLinkAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example payment link retrieved successfully */
            message: string;
            data: components["schemas"]["PaymentLink"];
        };
        QuotePaymentLinkAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example payment link retrieved successfully */
            message: string;
            data: components["schemas"]["PaymentLink"];
        };
        CancelPaymentLinkAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example payment link canceled successfully */
            message: string;
            data: components["schemas"]["PaymentLink"];
        };
        CreateFormRequest: {
            /**
             * @description At most 100 characters.
             * @example Summer sale T-shirt
             */
            title: string;
            /**
             * @description Plain text, at most 1000 characters.
             * @example Size M.
             */
            description?: string;
            /**
             * @description The price of one unit. Without it, the payer chooses the amount.
             * @example 38250
             */
            amount?: string;
            /**
             * @description Least amount that a payer can choose.
             * @example 500
             */
            minimum_amount?: string;
            /**
             * @description Most that a payer can choose.
             * @example 500000
             */
            maximum_amount?: string;
            /** @description At most 6 amounts that the page offers where the payer chooses. */
            suggested_amounts?: string[];
            /** @description What the payer is asked. All of it is required, except the note. Default: email and name. */
            ask?: ("email" | "name" | "phone" | "note")[];
            /** @description Labels of at most 3 questions of your own, of at most 60 characters each. Answers are required. */
            fields?: string[];
            /** @description Most units in one payment. Default: 1, which the page does not ask. */
            max_quantity?: number;
            /** @description Units that can be sold in all. */
            stock?: number;
            /**
             * @description What the form may take in all.
             * @example 5000000
             */
            total_limit?: string;
            /**
             * @description 1 to 20 letters and digits: the reference of every link. Default: the beginning of the form's identifier.
             * @example SUMMERSALE
             */
            payment_reference?: string;
            /**
             * Format: uri
             * @description Where a payer continues after the payment. Default: the form's page.
             */
            success_url?: string;
            /**
             * Format: uri
             * @description Where a payer goes back to. Default: the form's page.
             */
            cancel_url?: string;
            /**
             * Format: date-time
             * @description From then on the form is closed. UTC unless it has a time zone.
             * @example 2030-01-31T12:00:00Z
             */
            expires_at?: string;
            /**
             * @description Default: `ngn`.
             * @example ngn
             * @enum {string}
             */
            amount_currency?: "ngn" | "usd" | "eur" | "gbp" | "ghs" | "kes" | "zar" | "xof" | "cad" | "aed" | "inr" | "btc" | "usdt" | "bif" | "clp" | "djf" | "gnf" | "isk" | "jpy" | "kmf" | "krw" | "pyg" | "rwf" | "ugx" | "vnd" | "vuv" | "xaf" | "xpf" | "bhd" | "iqd" | "jod" | "kwd" | "lyd" | "omr" | "tnd" | "afn" | "all" | "amd" | "aoa" | "ars" | "aud" | "awg" | "azn" | "bam" | "bbd" | "bdt" | "bmd" | "bnd" | "bob" | "brl" | "bsd" | "btn" | "bwp" | "byn" | "bzd" | "cdf" | "chf" | "cny" | "cop" | "crc" | "cup" | "cve" | "czk" | "dkk" | "dop" | "dzd" | "egp" | "ern" | "etb" | "fjd" | "fkp" | "gel" | "gip" | "gmd" | "gtq" | "gyd" | "hkd" | "hnl" | "htg" | "huf" | "idr" | "ils" | "irr" | "jmd" | "kgs" | "khr" | "kpw" | "kyd" | "kzt" | "lak" | "lbp" | "lkr" | "lrd" | "lsl" | "mad" | "mdl" | "mga" | "mkd" | "mmk" | "mnt" | "mop" | "mru" | "mur" | "mvr" | "mwk" | "mxn" | "myr" | "mzn" | "nad" | "nio" | "nok" | "npr" | "nzd" | "pab" | "pen" | "pgk" | "php" | "pkr" | "pln" | "qar" | "ron" | "rsd" | "rub" | "sar" | "sbd" | "scr" | "sdg" | "sek" | "sgd" | "shp" | "sle" | "sos" | "srd" | "ssp" | "stn" | "svc" | "syp" | "szl" | "thb" | "tjs" | "tmt" | "top" | "try" | "ttd" | "twd" | "tzs" | "uah" | "uyu" | "uzs" | "ved" | "ves" | "wst" | "xcd" | "xcg" | "yer" | "zmw" | "zwg" | "eth" | "bnb" | "trx" | "ltc" | "doge" | "sol" | "xrp" | "usdc";
        };
        CreateFormAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example form created successfully */
            message: string;
            data: components["schemas"]["Form"];
        };
        ListFormsAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example forms retrieved successfully */
            message: string;
            data: components["schemas"]["Form"][];
            meta: components["schemas"]["PageMeta"];
        };
        GetFormAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example form retrieved successfully */
            message: string;
            data: components["schemas"]["Form"];
        };
        UpdateFormRequest: {
            /**
             * @description At most 100 characters.
             * @example Summer sale T-shirt
             */
            title?: string;
            /**
             * @description Plain text, at most 1000 characters.
             * @example Size M.
             */
            description?: string;
            /**
             * @description The price of one unit. Without it, the payer chooses the amount.
             * @example 38250
             */
            amount?: string;
            /**
             * @description Least amount that a payer can choose.
             * @example 500
             */
            minimum_amount?: string;
            /**
             * @description Most that a payer can choose.
             * @example 500000
             */
            maximum_amount?: string;
            /** @description At most 6 amounts that the page offers where the payer chooses. */
            suggested_amounts?: string[];
            /** @description What the payer is asked. All of it is required, except the note. Default: email and name. */
            ask?: ("email" | "name" | "phone" | "note")[];
            /** @description Labels of at most 3 questions of your own, of at most 60 characters each. Answers are required. */
            fields?: string[];
            /** @description Most units in one payment. Default: 1, which the page does not ask. */
            max_quantity?: number;
            /** @description Units that can be sold in all. */
            stock?: number;
            /**
             * @description What the form may take in all.
             * @example 5000000
             */
            total_limit?: string;
            /**
             * @description 1 to 20 letters and digits: the reference of every link. Default: the beginning of the form's identifier.
             * @example SUMMERSALE
             */
            payment_reference?: string;
            /**
             * Format: uri
             * @description Where a payer continues after the payment. Default: the form's page.
             */
            success_url?: string;
            /**
             * Format: uri
             * @description Where a payer goes back to. Default: the form's page.
             */
            cancel_url?: string;
            /**
             * Format: date-time
             * @description From then on the form is closed. UTC unless it has a time zone.
             * @example 2030-01-31T12:00:00Z
             */
            expires_at?: string;
            /** @description Names of fields to remove, such as `stock` or `expires_at`. */
            clear?: ("description" | "amount" | "minimum_amount" | "maximum_amount" | "stock" | "total_limit" | "success_url" | "cancel_url" | "expires_at")[];
        };
        UpdateFormAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example form updated successfully */
            message: string;
            data: components["schemas"]["Form"];
        };
        ArchiveFormAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example form archived successfully */
            message: string;
            data: components["schemas"]["Form"];
        };
        ListTokenDepositsAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example token deposits retrieved successfully */
            message: string;
            data: components["schemas"]["Deposit"][];
            meta: components["schemas"]["PageMeta"];
        };
        GetDepositAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example deposit retrieved successfully */
            message: string;
            data: components["schemas"]["DepositWithOthers"];
        };
        GetDepositStatusAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example deposit status retrieved successfully */
            message: string;
            data: components["schemas"]["DepositStatusViewWithOthers"];
        };
        SearchBlockchainTransactionRequest: {
            /**
             * @description Transaction hash in the network's own notation.
             * @example 0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060
             */
            tx_hash: string;
            /**
             * @description Network code, lowercase.
             * @example bep20
             * @enum {string}
             */
            network: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
        };
        SearchBlockchainTransactionAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example transaction retrieved successfully */
            message: string;
            /**
             * @description A string or an object: see the description of the operation.
             * @example {"status":"0x1","blockNumber":"0x2faf080"}
             */
            data: unknown;
        };
        RequeryTransactionRequest: {
            /**
             * @description Transaction hash in the network's own notation.
             * @example 0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060
             */
            tx_hash: string;
        };
        RequeryTransactionAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example transaction confirmed in block 50000000 */
            message: string;
            /** @description Always null. */
            data: Record<string, never> | null;
        };
        GetNetworkFeeRequest: {
            /**
             * @description Network code, lowercase.
             * @example bep20
             * @enum {string}
             */
            network: "bitcoin" | "erc20" | "bep20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
        };
        GetNetworkFeeAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example network fee retrieved successfully */
            message: string;
            data: components["schemas"]["NetworkFee"];
        };
        GetTransactionFeeAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example fee retrieved successfully */
            message: string;
            data: components["schemas"]["FeeQuote"];
        };
        ListTokenWithdrawalsAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example token withdrawals retrieved successfully */
            message: string;
            data: components["schemas"]["Withdrawal"][];
            meta: components["schemas"]["PageMeta"];
        };
        GetWithdrawalByRefidAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example withdrawal retrieved successfully: {"refid":"4821907735610284","status":3} */
            message: string;
            data: components["schemas"]["Withdrawal"];
        };
        CreateWithdrawalRequest: {
            /**
             * @description Network code, lowercase.
             * @example bep20
             * @enum {string}
             */
            network: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
            /**
             * @description Symbol.
             * @example usdt
             * @enum {string}
             */
            token: "btc" | "eth" | "usdt" | "trx" | "sol" | "bnb" | "ltc" | "doge" | "bch" | "xrp" | "shib" | "ada" | "twt" | "busd" | "comp" | "usdc";
            /**
             * @description Whole tokens that arrive. Read exactly, never as a float. The balance also pays the fee.
             * @example 12.5
             */
            amount: string;
            /**
             * @description Address of the network. It must not belong to this service.
             * @example 0x976EA74026E726554dB657fA54763abd0C3a0aa9
             */
            to: string;
        };
        CreateWithdrawalAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example withdrawal created successfully */
            message: string;
            data: components["schemas"]["AskedWithdrawal"];
        };
        GetWithdrawalAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example withdrawal retrieved successfully */
            message: string;
            data: components["schemas"]["AskedWithdrawal"];
        };
        CancelWithdrawalAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example withdrawal canceled successfully */
            message: string;
            data: components["schemas"]["AskedWithdrawal"];
        };
        RefundPaymentLinkRequest: {
            /**
             * @description Network code, lowercase.
             * @example bep20
             * @enum {string}
             */
            network: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
            /**
             * @description Symbol.
             * @example usdt
             * @enum {string}
             */
            token: "btc" | "eth" | "usdt" | "trx" | "sol" | "bnb" | "ltc" | "doge" | "bch" | "xrp" | "shib" | "ada" | "twt" | "busd" | "comp" | "usdc";
            /**
             * @description Whole tokens that arrive, `all` that is left, or `excess`: what was paid too much.
             * @example 12.5
             */
            amount: string;
            /**
             * @description Address of the network. It must not belong to this service.
             * @example 0x976EA74026E726554dB657fA54763abd0C3a0aa9
             */
            to?: string;
            /** @description Of a claim: what the customer reads, at most 300 characters. */
            note?: string;
            /**
             * @description Of a claim. 1: mail the URL to the customer of the payment link.
             * @enum {integer}
             */
            mail?: 0 | 1;
        };
        RefundPaymentLinkAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example refund created successfully */
            message: string;
            data: components["schemas"]["Refund"];
        };
        ListRefundClaimsAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example refund claims retrieved successfully */
            message: string;
            data: components["schemas"]["RefundClaim"][];
        };
        RevokeRefundClaimAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example refund claim revoked successfully */
            message: string;
            data: components["schemas"]["RefundClaim"];
        };
        ListUnmatchedDepositsAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example unmatched deposits retrieved successfully */
            message: string;
            data: components["schemas"]["UnmatchedDeposit"][];
            meta: components["schemas"]["PageMeta"];
        };
        GetBalancesRequest: {
            /**
             * Format: email
             * @description The merchant's own.
             * @example owner@shop.example.com
             */
            email?: string;
            /**
             * @description Only this token.
             * @example btc
             * @enum {string}
             */
            token?: "btc" | "eth" | "usdt" | "trx" | "sol" | "bnb" | "ltc" | "doge" | "bch" | "xrp" | "shib" | "ada" | "twt" | "busd" | "comp" | "usdc";
        };
        GetBalancesAnswerData: {
            balance: components["schemas"]["Balance"];
        };
        GetBalancesAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example balances retrieved successfully */
            message: string;
            data: components["schemas"]["GetBalancesAnswerData"];
        };
        GetHistoryRequest: {
            /**
             * Format: email
             * @description The merchant's own.
             * @example owner@shop.example.com
             */
            email: string;
            /**
             * @example eth
             * @enum {string}
             */
            token?: "btc" | "eth" | "usdt" | "trx" | "sol" | "bnb" | "ltc" | "doge" | "bch" | "xrp" | "shib" | "ada" | "twt" | "busd" | "comp" | "usdc";
            /**
             * @description Accepted; has no effect.
             * @example bep20
             */
            network?: string;
            /** @enum {string} */
            direction?: "credit" | "debit";
            /**
             * @description Only entries from this time on: `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, UTC.
             * @example 2026-01-31 12:00:00
             */
            timestamp?: string;
            /**
             * @description 1 success, 0 failure.
             * @enum {integer}
             */
            status?: 0 | 1;
        };
        GetHistoryAnswerData: {
            history: components["schemas"]["HistoryEntry"][];
        };
        GetHistoryAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example history retrieved successfully */
            message: string;
            data: components["schemas"]["GetHistoryAnswerData"];
            meta: components["schemas"]["PageMeta"];
        };
        GetStatisticsAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example statistics retrieved successfully */
            message: string;
            data: components["schemas"]["Statistics"];
        };
        GetWalletMetricsAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example wallet statistics retrieved successfully */
            message: string;
            data: components["schemas"]["WalletMetrics"];
        };
        /** @description email, first_name and last_name. The text of the object is accepted too. */
        GenerateWalletRequestCustomer: {
            email: string;
            first_name: string;
            last_name: string;
        };
        GenerateWalletRequest: {
            /**
             * @description Network code, lowercase.
             * @example bep20
             * @enum {string}
             */
            network: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
            customer: components["schemas"]["GenerateWalletRequestCustomer"];
            /**
             * @description 1: always a new address, even if an earlier one is unused. In the body or in the query.
             * @enum {integer}
             */
            fresh?: 0 | 1;
        };
        GenerateWalletAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example wallet generated successfully */
            message: string;
            data: components["schemas"]["GeneratedWallet"];
        };
        GenerateMerchantWalletRequest: {
            /**
             * @description Network code, lowercase.
             * @example bep20
             * @enum {string}
             */
            network: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
            /**
             * @description 1: always a new address, even if an earlier one is unused. In the body or in the query.
             * @enum {integer}
             */
            fresh?: 0 | 1;
        };
        GenerateMerchantWalletAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example wallet generated successfully */
            message: string;
            data: components["schemas"]["GeneratedWallet"];
        };
        GetNetworkRequest: {
            /**
             * @description Network code, lowercase.
             * @example bep20
             * @enum {string}
             */
            network: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
        };
        GetNetworkAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example network retrieved successfully */
            message: string;
            data: components["schemas"]["NetworkConfiguration"];
        };
        GetAllNetworksRequest: Record<string, never>;
        GetAllNetworksAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example networks retrieved successfully */
            message: string;
            data: components["schemas"]["NetworkConfiguration"][];
        };
        GetAddressesRequest: {
            /**
             * @description Network code, lowercase.
             * @example bep20
             * @enum {string}
             */
            network: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
        };
        GetAddressesAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example addresses retrieved successfully */
            message: string;
            data: components["schemas"]["Address"][];
            meta: components["schemas"]["PageMeta"];
        };
        GetTokensAnswerData: {
            tokens: string[];
            tokenConfigs: components["schemas"]["TokenConfiguration"][];
        };
        GetTokensAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example tokens retrieved successfully */
            message: string;
            data: components["schemas"]["GetTokensAnswerData"];
        };
        BuyTokenRequest: {
            /**
             * @description Whole tokens to buy, with at most the token's decimals. Read exactly, never as a float.
             * @example 0.005
             */
            amount: string;
            /**
             * @example btc
             * @enum {string}
             */
            token: "btc" | "eth" | "usdt" | "trx" | "sol" | "bnb" | "ltc" | "doge" | "bch" | "xrp" | "shib" | "ada" | "twt" | "busd" | "comp" | "usdc";
        };
        BuyTokenAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example buy completed successfully */
            message: string;
            /** @description Always null. */
            data: Record<string, never> | null;
        };
        ListCustomersAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example customers retrieved successfully */
            message: string;
            data: components["schemas"]["Customer"][];
            meta: components["schemas"]["PageMeta"];
        };
        ListWhitelistedIpsAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example whitelisted ips retrieved successfully */
            message: string;
            data: components["schemas"]["WhitelistedIp"][];
            meta: components["schemas"]["PageMeta"];
        };
        AddWhitelistedIpRequest: {
            /**
             * @description 1 to 100 characters.
             * @example Office
             */
            ip_name: string;
            /**
             * @description An IPv4 or IPv6 address or CIDR range.
             * @example 198.51.100.0/24
             */
            ip_address: string;
        };
        AddWhitelistedIpAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example whitelisted ip added successfully */
            message: string;
            data: components["schemas"]["AddedWhitelistedIp"];
        };
        RemoveWhitelistedIpAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example whitelisted ip removed successfully */
            message: string;
            /** @description Always null. */
            data: Record<string, never> | null;
        };
        GetMerchantAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example merchant retrieved successfully */
            message: string;
            data: components["schemas"]["Merchant"];
        };
        UpdateMerchantRequest: {
            /**
             * @description 1 to 200 characters.
             * @example Kaduna Coffee
             */
            name?: string;
            /**
             * @description E-mail address, https URL or telephone number.
             * @example help@shop.example.com
             */
            support?: string;
            /**
             * @description A color.
             * @example #c81e1e
             */
            accent?: string;
            /**
             * @example hold
             * @enum {string}
             */
            late_policy?: "hold" | "accept";
            /** @description What may be missing, in basis points. */
            tolerance_under_bps?: number;
            /** @description The most that may be missing, in whole units of the link's currency. */
            tolerance_under_max?: number;
            /** @description What may be too much, in basis points. */
            tolerance_over_bps?: number;
            /**
             * @description 1: amounts of stablecoins are rounded up to a cent.
             * @enum {integer}
             */
            round_stablecoins?: 0 | 1;
            /** @description What is added to each rate, in basis points. */
            rate_markup_bps?: number;
            /**
             * @description Rates instead of the market's.
             * @example usdt/ngn=1600,btc/usd=60000
             */
            fixed_rates?: string;
            /** @description Networks and tokens that links offer, in their order. */
            pairs?: ("bitcoin/btc" | "trc20/usdt" | "bep20/usdt" | "bep20/bnb" | "bep20/usdc" | "erc20/eth" | "erc20/usdt" | "erc20/usdc" | "base/eth" | "base/usdt" | "base/usdc" | "trc20/trx" | "litecoin/ltc" | "dogecoin/doge" | "solana/sol" | "solana/usdt" | "solana/usdc" | "xrp/xrp")[];
            /** @description Web origins that may frame the page, at most 50. */
            allow_origins?: string[];
            /** @description Fields to be without. */
            clear?: ("support" | "accent" | "fixed_rates" | "pairs" | "tolerance_under_max")[];
        };
        UpdateMerchantAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example merchant updated successfully */
            message: string;
            data: components["schemas"]["Merchant"];
        };
        SetLogoRequest: {
            /**
             * @description PNG, JPEG or WebP in base64.
             * @example iVBORw0KGgo=
             */
            logo: string;
        };
        SetLogoAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example logo updated successfully */
            message: string;
            data: components["schemas"]["Merchant"];
        };
        RemoveLogoAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example logo removed successfully */
            message: string;
            data: components["schemas"]["Merchant"];
        };
        ListMembersAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example members retrieved successfully */
            message: string;
            data: components["schemas"]["Member"][];
        };
        ListKeysAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example keys retrieved successfully */
            message: string;
            data: components["schemas"]["ApiKey"][];
        };
        CreateKeyRequest: {
            /**
             * @example read
             * @enum {string}
             */
            scope: "read" | "payment-links" | "withdrawals" | "webhooks" | "settings";
        };
        CreateKeyAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example key created successfully */
            message: string;
            data: components["schemas"]["CreatedApiKey"];
        };
        RevokeKeyAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example key revoked successfully */
            message: string;
            /** @description Always null. */
            data: Record<string, never> | null;
        };
        ListWebhookEndpointsAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example webhook endpoints retrieved successfully */
            message: string;
            data: components["schemas"]["WebhookEndpoint"][];
        };
        CreateWebhookEndpointRequest: {
            /**
             * Format: uri
             * @example https://shop.example.com/webhooks/paylink
             */
            url: string;
            /**
             * @description The event types to accept. Absent or empty: every type.
             * @example [
             *       "payment_link_completed"
             *     ]
             */
            events?: ("payment_link_completed" | "payment_link_completed_overpaid" | "payment_link_failed" | "payment_link_late" | "payment_link_extra" | "payment_link_reverted" | "deposit_credited" | "deposit_reversed" | "small_deposits" | "withdrawal_completed" | "withdrawal_failed" | "withdrawal_approval_needed" | "refund_completed" | "webhook_endpoint_disabled")[];
        };
        CreateWebhookEndpointAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example webhook endpoint created successfully */
            message: string;
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        UpdateWebhookEndpointRequest: {
            /**
             * Format: uri
             * @example https://shop.example.com/webhooks/paylink
             */
            url?: string;
            /**
             * @description The event types to accept. Absent or empty: every type.
             * @example [
             *       "payment_link_completed"
             *     ]
             */
            events?: ("payment_link_completed" | "payment_link_completed_overpaid" | "payment_link_failed" | "payment_link_late" | "payment_link_extra" | "payment_link_reverted" | "deposit_credited" | "deposit_reversed" | "small_deposits" | "withdrawal_completed" | "withdrawal_failed" | "withdrawal_approval_needed" | "refund_completed" | "webhook_endpoint_disabled")[];
            /**
             * @description 0: off. Its deliveries wait.
             * @enum {integer}
             */
            enabled?: 0 | 1;
        };
        UpdateWebhookEndpointAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example webhook endpoint updated successfully */
            message: string;
            data: components["schemas"]["WebhookEndpoint"];
        };
        RemoveWebhookEndpointAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example webhook endpoint removed successfully */
            message: string;
            /** @description Always null. */
            data: Record<string, never> | null;
        };
        RotateWebhookSecretAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example webhook secret rotated successfully */
            message: string;
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        TestWebhookEndpointAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example test request sent successfully */
            message: string;
            data: components["schemas"]["WebhookTest"];
        };
        RetriggerWebhooksRequest: {
            /**
             * @description Hash of the transaction of the events. Upper and lower case, with `0x` and without, are the same.
             * @example 0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060
             */
            transaction_hash: string;
        };
        RetriggerWebhooksAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example 1 webhook events retriggered successfully */
            message: string;
            data: components["schemas"]["RetriggeredEvents"];
        };
        ListWebhookDeliveriesAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example webhook deliveries retrieved successfully */
            message: string;
            data: components["schemas"]["WebhookDelivery"][];
            meta: components["schemas"]["PageMeta"];
        };
        CreateSandboxPaymentRequest: {
            /**
             * @description Identifier of one of your links.
             * @example FkoNcGetqqBJUU5Xo4A6gN
             */
            refid: string;
            /**
             * @description The payment scenario to play.
             * @example exact
             * @enum {string}
             */
            scenario: "exact" | "short" | "over" | "underpaid" | "late" | "extra" | "wrong_token" | "replaced" | "reorganised";
            /**
             * @description Network code, lowercase.
             * @example bep20
             * @enum {string}
             */
            network?: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
            /**
             * @description Without network and token: the ones last chosen on the link's page.
             * @example usdt
             * @enum {string}
             */
            token?: "btc" | "eth" | "usdt" | "trx" | "sol" | "bnb" | "ltc" | "doge" | "bch" | "xrp" | "shib" | "ada" | "twt" | "busd" | "comp" | "usdc";
            /**
             * @description Whole tokens to pay instead of the amount of the scenario.
             * @example 2.5
             */
            amount?: string;
            /**
             * @description 0: broadcasts only and mines nothing. Default 1: mines until the payment is final. `underpaid`, `extra` and `reorganised` always mine.
             * @enum {integer}
             */
            confirm?: 0 | 1;
        };
        CreateSandboxPaymentAnswer: {
            /** @enum {string} */
            status: "success";
            /** @example sandbox payment made successfully */
            message: string;
            data: components["schemas"]["SandboxPayment"];
        };
        PaymentLinkCompletedEvent: {
            /** @enum {string} */
            type: "payment_link_completed";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["PaymentLinkEventData"];
        };
        PaymentLinkCompletedOverpaidEvent: {
            /** @enum {string} */
            type: "payment_link_completed_overpaid";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["PaymentLinkEventData"];
        };
        PaymentLinkFailedEvent: {
            /** @enum {string} */
            type: "payment_link_failed";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["PaymentLinkEventData"];
        };
        PaymentLinkLateEvent: {
            /** @enum {string} */
            type: "payment_link_late";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["PaymentLinkEventData"];
        };
        PaymentLinkExtraEvent: {
            /** @enum {string} */
            type: "payment_link_extra";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["PaymentLinkEventData"];
        };
        PaymentLinkRevertedEvent: {
            /** @enum {string} */
            type: "payment_link_reverted";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["PaymentLinkEventData"];
        };
        DepositCreditedEvent: {
            /** @enum {string} */
            type: "deposit_credited";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["DepositEventData"];
        };
        DepositReversedEvent: {
            /** @enum {string} */
            type: "deposit_reversed";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["DepositEventData"];
        };
        SmallDepositsEvent: {
            /** @enum {string} */
            type: "small_deposits";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["SmallDepositsEventData"];
        };
        WithdrawalCompletedEvent: {
            /** @enum {string} */
            type: "withdrawal_completed";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["WithdrawalEventData"];
        };
        WithdrawalFailedEvent: {
            /** @enum {string} */
            type: "withdrawal_failed";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["WithdrawalEventData"];
        };
        WithdrawalApprovalNeededEvent: {
            /** @enum {string} */
            type: "withdrawal_approval_needed";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["WithdrawalEventData"];
        };
        RefundCompletedEvent: {
            /** @enum {string} */
            type: "refund_completed";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["RefundEventData"];
        };
        WebhookEndpointDisabledEvent: {
            /** @enum {string} */
            type: "webhook_endpoint_disabled";
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            data: components["schemas"]["WebhookEndpointEventData"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies this request in the log of the service. */
        "X-Request-Id": string;
        /**
         * @description Number of requests (`q`) that a key may send within a number of seconds (`w`), as in draft-ietf-httpapi-ratelimit-headers.
         * @example "key";q=200;w=2
         */
        "RateLimit-Policy": string;
        /**
         * @description Number of requests left (`r`), and seconds until one more is available (`t`).
         * @example "key";r=199;t=1
         */
        RateLimit: string;
        /**
         * @description Seconds to wait before the next request.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description What the message does not say, in English, for the person who reads it. With a 401: what is probably wrong with the key. With any status: fields of the request that the operation does not have.
         * @example This is a key of the test environment. Send it in x-staging-api-key.
         */
        "X-Paylink-Hint": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSupportedNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSupportedNetworksAnswer"];
                };
            };
            /** @description `bad request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
                /** @description Only links in this state. */
                status?: "open" | "awaiting" | "partial" | "detected" | "completed" | "overpaid" | "failed" | "expired";
                /** @description Only links with this reference. */
                payment_reference?: string;
                /** @description Only links with this refid, reference, e-mail address, first or last name, both names, transaction hash or address. Whole texts, in upper or lower case for e-mail addresses and names. `count` has no effect. */
                search?: string;
                /** @description 1: each link has its `metadata`, and a page has at most 100 links. */
                metadata?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPaymentLinksAnswer"];
                };
            };
            /** @description `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1`, `status must be open, awaiting, partial, detected, completed, overpaid, failed or expired`, `payment_reference must be 1 to 20 letters and digits`, `({name}) is too long`, `({name}) contains an unsupported character` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the same response for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentLinkRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatePaymentLinkAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a number`, `amount must be greater than 0`, `amount has too many decimals`, `amount is too large`, `customer_details must be a json object`, `({name}) not found in request body for customer_details`, `({name}) of customer_details must be an e-mail address`, `({name}) must be a string`, `({name}) is too long`, `payment_reference must be 1 to 20 letters and digits`, `{name} must be an https url`, `expires_at must be a future iso 8601 date-time`, `expires_at cannot be more than one year ahead`, `metadata must be json`, `metadata is too large`, `description must be one line of plain text of at most 300 characters`, `items must be a list of at most 20 objects with name (1 to 100 characters), quantity (1 to 1000000) and amount`, `amounts of items must be above 0, at most 1e12, with at most the currency's decimals`, `amounts of items must add up to amount`, `amount_currency not supported`, `wallets must be an array`, `unsupported wallet pair: use bitcoin/BTC, trc20/USDT or bep20/USDT`, `only one wallet per network`, `pairs must be an array of different pairs of network and token` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `idempotency key already used with a different request`, `request with this idempotency key is still in progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `payment pair not enabled for merchant`, `amount is below what any network can receive`, `wallet generation not enabled for network`, `wallet generation failed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `wallet generation failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `refid` of the payment link. */
                refid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetPaymentLinkAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refid details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    quotePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `refid` of the payment link. */
                refid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuotePaymentLinkAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refid details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    cancelPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `refid` of the payment link. */
                refid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelPaymentLinkAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refid details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `payment link cannot be canceled: its state is {name}` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listForms: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
                /** @description 1: also those that are archived. */
                archived?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFormsAnswer"];
                };
            };
            /** @description `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createForm: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the same response for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFormRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateFormAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `({name}) must be a number`, `({name}) must be a list of texts`, `amount must be greater than 0`, `expires_at must be a future iso 8601 date-time`, `title must be one line of 1 to 100 characters`, `description must be plain text of at most 1000 characters`, `amounts must be above 0, at most 1e12, with at most the currency's decimals`, `amount excludes minimum_amount, maximum_amount and suggested_amounts; suggestions must be different and between them`, `ask must be a list of email, name, phone or note`, `fields must be at most 3 different lines of 1 to 60 characters`, `max_quantity must be from 1 to 1000`, `stock must be from 0 to 100000`, `payment_reference must be 1 to 20 letters and digits`, `success_url and cancel_url must be https urls`, `expires_at must be a future iso 8601 date-time`, `expires_at must be before 2100`, `amount_currency not supported` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `idempotency key already used with a different request`, `request with this idempotency key is still in progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `form` of the form. */
                form: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetFormAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `form not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    archiveForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `form` of the form. */
                form: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveFormAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `form not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    updateForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `form` of the form. */
                form: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateFormRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateFormAnswer"];
                };
            };
            /** @description `{name} not found in params`, `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) must be a string`, `({name}) must be a number`, `({name}) must be a list of texts`, `amount must be greater than 0`, `expires_at must be a future iso 8601 date-time`, `title must be one line of 1 to 100 characters`, `description must be plain text of at most 1000 characters`, `amounts must be above 0, at most 1e12, with at most the currency's decimals`, `amount excludes minimum_amount, maximum_amount and suggested_amounts; suggestions must be different and between them`, `ask must be a list of email, name, phone or note`, `fields must be at most 3 different lines of 1 to 60 characters`, `max_quantity must be from 1 to 1000`, `stock must be from 0 to 100000`, `payment_reference must be 1 to 20 letters and digits`, `success_url and cancel_url must be https urls`, `expires_at must be a future iso 8601 date-time`, `expires_at must be before 2100`, `clear must be a list of fields that a form can be without` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `form not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `form is archived` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listTokenDeposits: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
                /** @description Deposits to list in addition to credited ones: `pending`, `dropped`, or both, separated by a comma. */
                include?: "pending" | "dropped" | "pending,dropped";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTokenDepositsAnswer"];
                };
            };
            /** @description `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1`, `include must be pending, dropped or both` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getDeposit: {
        parameters: {
            query?: {
                /** @description Deposits to list in addition to credited ones: `pending`, `dropped`, or both, separated by a comma. */
                include?: "pending" | "dropped" | "pending,dropped";
                /** @description Network code, lowercase. */
                network?: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
                /** @description Only the output at this position. */
                output_pos?: number;
            };
            header?: never;
            path: {
                /** @description Hash of the transaction. Upper and lower case, with `0x` and without, are the same. */
                tx_hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDepositAnswer"];
                };
            };
            /** @description `{name} not found in params`, `include must be pending, dropped or both`, `network not supported`, `({name}) must be a number` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `tx_hash details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getDepositStatus: {
        parameters: {
            query?: {
                /** @description Deposits to list in addition to credited ones: `pending`, `dropped`, or both, separated by a comma. */
                include?: "pending" | "dropped" | "pending,dropped";
                /** @description Network code, lowercase. */
                network?: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin" | "dogecoin";
                /** @description Only the output at this position. */
                output_pos?: number;
            };
            header?: never;
            path: {
                /** @description Hash of the transaction. Upper and lower case, with `0x` and without, are the same. */
                tx_hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetDepositStatusAnswer"];
                };
            };
            /** @description `{name} not found in params`, `include must be pending, dropped or both`, `network not supported`, `({name}) must be a number` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `tx_hash details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    searchBlockchainTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchBlockchainTransactionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchBlockchainTransactionAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `network not supported` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `Transaction not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `network not available`, `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    requeryTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Network code, lowercase. */
                network: "bitcoin" | "erc20" | "bep20" | "trc20" | "solana" | "xrp" | "base" | "litecoin";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequeryTransactionRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequeryTransactionAnswer"];
                };
            };
            /** @description `{name} not found in params`, `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `network not supported` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `transaction not found or still pending` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `transaction may have been skipped`, `transaction failed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Action Failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `network not available`, `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getNetworkFee: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetNetworkFeeRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetNetworkFeeAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `network not supported` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `network not available`, `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getTransactionFee: {
        parameters: {
            query?: {
                /** @description Upper or lower case. */
                token?: "btc" | "eth" | "usdt" | "trx" | "sol" | "bnb" | "ltc" | "doge" | "bch" | "xrp" | "shib" | "ada" | "twt" | "busd" | "comp" | "usdc";
                /** @description Whole tokens, with at most the token's decimals. If it is given, the response has `fee`. */
                amount?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTransactionFeeAnswer"];
                };
            };
            /** @description `invalid token symbol`, `({name}) must be a number`, `amount must be greater than 0`, `amount has too many decimals`, `amount is too large` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listTokenWithdrawals: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTokenWithdrawalsAnswer"];
                };
            };
            /** @description `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getWithdrawalByRefid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Send reference, numeric text. */
                refid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWithdrawalByRefidAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refid details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header: {
                /** @description A repeated request with the same key gets the same response for 24 hours. */
                "idempotency-key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWithdrawalRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWithdrawalAnswer"];
                };
            };
            /** @description `idempotency key is required`, `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) not found in request body`, `unsupported network`, `({name}) must be a string`, `({name}) must be a number`, `invalid token symbol`, `amount must be greater than 0`, `amount has too many decimals`, `amount is too large`, `amount has too many decimals`, `to must be an address of the network` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `idempotency key already used with a different request`, `request with this idempotency key is still in progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `amount is below the smallest withdrawal`, `amount is above the largest withdrawal`, `withdrawals not enabled for network`, `token not available on network`, `withdrawals not enabled for network`, `withdrawals not enabled for token`, `to must not be an address of this service`, `to must not be a token contract or an address without an owner`, `amount is above the merchant's limit for one withdrawal`, `amount is above what is left of the merchant's limit for 24 hours`, `insufficient balance`, `to is not in the merchant's address book`, `to was added to the merchant's address book less than 24 hours ago` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Send reference, numeric text. */
                refid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWithdrawalAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refid details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    cancelWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Send reference, numeric text. */
                refid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelWithdrawalAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refid details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `withdrawal cannot be canceled: a transaction was sent, or it has ended` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    refundPaymentLink: {
        parameters: {
            query?: never;
            header: {
                /** @description A repeated request with the same key gets the same response for 24 hours. */
                "idempotency-key": string;
            };
            path: {
                /** @description The `refid` of the payment link. */
                refid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundPaymentLinkRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundPaymentLinkAnswer"];
                };
            };
            /** @description `idempotency key is required`, `{name} not found in params`, `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) not found in request body`, `unsupported network`, `({name}) must be a string`, `({name}) must be a number`, `invalid token symbol`, `amount must be greater than 0`, `amount has too many decimals`, `amount is too large`, `amount has too many decimals`, `to must be an address of the network`, `note must be plain text of at most 300 characters`, `({name}) must be 0 or 1` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refid details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `idempotency key already used with a different request`, `request with this idempotency key is still in progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `amount is below the smallest withdrawal`, `amount is above the largest withdrawal`, `withdrawals not enabled for network`, `token not available on network`, `withdrawals not enabled for network`, `withdrawals not enabled for token`, `to must not be an address of this service`, `to must not be a token contract or an address without an owner`, `amount is above the merchant's limit for one withdrawal`, `amount is above what is left of the merchant's limit for 24 hours`, `insufficient balance`, `mail is off, or the customer's address cannot receive this mail now`, `nothing is credited for this payment link on this network and in this token`, `amount is above what was credited and not refunded yet`, `nothing that was paid too much is left on this network and in this token` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listRefundClaims: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `refid` of the payment link. */
                refid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRefundClaimsAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refid details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    revokeRefundClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `refid` of the payment link. */
                refid: string;
                /** @description Number of the claim. */
                claim: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeRefundClaimAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refund claim not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `refund claim was used or revoked, or has expired` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listUnmatchedDeposits: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListUnmatchedDepositsAnswer"];
                };
            };
            /** @description `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getBalances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetBalancesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetBalancesAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `invalid token symbol`, `({name}) must be a string` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `Invalid merchant` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getHistory: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetHistoryRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHistoryAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1`, `({name}) must be a string`, `invalid token symbol`, `direction must be credit or debit`, `timestamp must be YYYY-MM-DD or YYYY-MM-DD HH:MM:SS`, `status must be 0 or 1` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `Invalid merchant` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStatisticsAnswer"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getWalletMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWalletMetricsAnswer"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    generateWallet: {
        parameters: {
            query?: {
                /** @description 1: always a new address, even if an earlier one is unused. In the body or in the query. */
                fresh?: 0 | 1;
            };
            header?: {
                /** @description A repeated request with the same key gets the same response for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateWalletRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerateWalletAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `unsupported network`, `({name}) not found in request body for customer`, `({name}) not found in request body for customer`, `({name}) must be 0 or 1` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `idempotency key already used with a different request`, `request with this idempotency key is still in progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `wallet generation not enabled for network`, `wallet generation failed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `wallet generation failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    generateMerchantWallet: {
        parameters: {
            query?: {
                /** @description 1: always a new address, even if an earlier one is unused. In the body or in the query. */
                fresh?: 0 | 1;
            };
            header?: {
                /** @description A repeated request with the same key gets the same response for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateMerchantWalletRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerateMerchantWalletAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `unsupported network`, `({name}) must be 0 or 1` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `idempotency key already used with a different request`, `request with this idempotency key is still in progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `wallet generation not enabled for network`, `wallet generation failed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `wallet generation failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getNetwork: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetNetworkRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetNetworkAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `unsupported network` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getAllNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetAllNetworksRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAllNetworksAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getAddresses: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetAddressesRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAddressesAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1`, `({name}) must be a string`, `unsupported network` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTokensAnswer"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    buyToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the same response for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyTokenRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuyTokenAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a number`, `amount must be greater than 0`, `({name}) must be a string`, `invalid token symbol`, `amount has too many decimals`, `amount is too large` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `idempotency key already used with a different request`, `request with this idempotency key is still in progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `buys not currently enabled for token`, `amount cannot be less than {name}`, `amount cannot be more than {name}`, `buys not currently enabled for token`, `fee cannot be greater than or equal to amount`, `insufficient USDT balance`, `buys not currently enabled for token` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unable to get token data`, `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCustomersAnswer"];
                };
            };
            /** @description `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listWhitelistedIps: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWhitelistedIpsAnswer"];
                };
            };
            /** @description `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    addWhitelistedIp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddWhitelistedIpRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddWhitelistedIpAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `ip_address must be an ip address or a cidr range`, `ip_name must have 1 to 100 characters` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list`, `test keys cannot change what live and test share` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `a merchant has at most 100 ip entries` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    removeWhitelistedIp: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveWhitelistedIpAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list`, `test keys cannot change what live and test share` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `ip entry not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `without this entry the key could not be used from this address` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMerchantAnswer"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    updateMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateMerchantRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateMerchantAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) must be a string`, `({name}) must be a number`, `({name}) must be 0 or 1`, `({name}) must be a list of texts`, `({name}) has a value that is not allowed`, `clear must be a list of fields that a merchant can be without`, `no field to change was given` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list`, `test keys cannot change what live and test share` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    setLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetLogoRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetLogoAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `logo must be a png, jpeg or webp of 32 to 4096 pixels, in base64`, `({name}) has a value that is not allowed` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list`, `test keys cannot change what live and test share` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `another picture is being read, try again`, `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveLogoAnswer"];
                };
            };
            /** @description `({name}) has a value that is not allowed` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list`, `test keys cannot change what live and test share` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMembersAnswer"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListKeysAnswer"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateKeyAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `scope must be read, payment-links, withdrawals, webhooks or settings` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `a merchant has at most 50 active keys in an environment` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeKeyAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list`, `only the key itself and the console revoke a key with scope full` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `key not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookEndpointsAnswer"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookEndpointAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `url must be an http or https url that the internet can reach, without a password`, `events must be a list of event types` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `a merchant has at most 16 webhook endpoints in an environment` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    removeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveWebhookEndpointAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `webhook endpoint not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateWebhookEndpointAnswer"];
                };
            };
            /** @description `{name} not found in params`, `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `url must be an http or https url that the internet can reach, without a password`, `events must be a list of event types`, `({name}) must be 0 or 1`, `no field to change was given` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `webhook endpoint not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateWebhookSecretAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `webhook endpoint not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookEndpointAnswer"];
                };
            };
            /** @description `{name} not found in params` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `live keys do this only while the merchant has an ip list` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `webhook endpoint not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `webhook endpoint has no url` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `webhook secret cannot be read`, `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    retriggerWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the same response for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetriggerWebhooksRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriggerWebhooksAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `transaction_hash is required`, `({name}) must be a string`, `({name}) is too long` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `idempotency key already used with a different request`, `request with this idempotency key is still in progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `no webhook events found for the provided transaction`, `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Rows of a page. A page ends earlier where it would have more than 1 MiB. */
                limit?: number;
                /** @description `meta.next_cursor` of the previous page. */
                cursor?: string;
                /** @description 1: `meta.total` has the number of all rows. */
                count?: "0" | "1";
                /** @description Only deliveries with this status. */
                status?: "due" | "delivered" | "failed";
                /** @description Only deliveries of this event: `evt_12` or `12`. */
                webhook_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookDeliveriesAnswer"];
                };
            };
            /** @description `limit must be between 1 and 500`, `invalid cursor`, `({name}) must be 0 or 1`, `status must be due, delivered or failed`, `webhook_id must be evt_ and a number` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    createSandboxPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key gets the same response for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSandboxPaymentRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSandboxPaymentAnswer"];
                };
            };
            /** @description `invalid json`, `invalid form body`, `duplicate field ({name})`, `({name}) contains an unsupported character`, `idempotency key is too long`, `({name}) not found in request body`, `({name}) must be a string`, `scenario must be exact, short, over, underpaid, late, extra, wrong_token, replaced or reorganised`, `unsupported network`, `invalid token symbol`, `({name}) must be 0 or 1`, `({name}) must be a number`, `amount must be greater than 0`, `amount has too many decimals`, `amount is too large` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `invalid api key` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Paylink-Hint": components["headers"]["X-Paylink-Hint"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Invalid merchant`, `api key not allowed for this operation`, `ip address not whitelisted`, `the sandbox takes test keys only` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Merchant does not exist`, `not found`, `refid details not found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `idempotency key already used with a different request`, `request with this idempotency key is still in progress` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `request body too large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unsupported content type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `payment link takes no payment of this scenario any more`, `payment link has no network yet: name one`, `payment link cannot be paid with this network and token`, `network is not a development chain`, `scenario does not exist on this network`, `amount is too small to be paid in part` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `too many requests` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `internal error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `Action Failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description `unable to get token data`, `network not available`, `no worker watches the network`, `the sandbox is busy, try again`, `service unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    receive_payment_link_completed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkCompletedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_payment_link_completed_overpaid: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkCompletedOverpaidEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_payment_link_failed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkFailedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_payment_link_late: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkLateEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_payment_link_extra: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkExtraEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_payment_link_reverted: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentLinkRevertedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_deposit_credited: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositCreditedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_deposit_reversed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositReversedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_small_deposits: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SmallDepositsEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_withdrawal_completed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalCompletedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_withdrawal_failed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalFailedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_withdrawal_approval_needed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalApprovalNeededEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_refund_completed: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundCompletedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_webhook_endpoint_disabled: {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event. It stays the same when the event is sent again. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description Signature with the secret of the endpoint. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A failed attempt, like every other response. It is repeated later. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
