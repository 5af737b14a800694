<?php
// openapi-generator, php, with Debian's Guzzle.
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    require __DIR__ . '/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
});

use OpenAPI\Client\Api\PaymentLinksApi;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreatePaymentLinkRequest;
use OpenAPI\Client\Model\CreatePaymentLinkRequestCustomerDetails;
use OpenAPI\Client\Model\CreatePaymentLinkRequestWallet;

$config = (new Configuration())
    ->setHost(getenv('BASE_URL'))
    ->setApiKey('x-staging-api-key', getenv('API_KEY'));
$links = new PaymentLinksApi(null, $config);
$created = $links->createPaymentLink(new CreatePaymentLinkRequest([
    'amount' => '123456789012.345678',
    'amount_currency' => 'usdt',
    'customer_details' => new CreatePaymentLinkRequestCustomerDetails([
        'email' => 'ada@example.com', 'first_name' => 'Ada', 'last_name' => 'Obi',
    ]),
    'payment_reference' => 'ORDER1001',
    'success_url' => 'https://shop.example.com/thanks',
    'cancel_url' => 'https://shop.example.com/cart',
    'metadata' => ['order' => 1001],
    'wallets' => [new CreatePaymentLinkRequestWallet(['network' => 'bep20', 'token' => 'USDT'])],
]));
$refid = $created->getData()->getRefid();
$link = $links->getPaymentLink($refid)->getData();
echo json_encode([$refid, $link->getRefid(), $link->getState(), $link->getAmountRequired(), $link->getReason()]);
