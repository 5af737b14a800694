# openapi-generator, ruby, with Debian's Typhoeus.
$LOAD_PATH.unshift(File.join(__dir__, 'lib'))
require 'openapi_client'
require 'json'
require 'uri'

OpenapiClient.configure do |config|
  uri = URI(ENV['BASE_URL'])
  config.scheme = uri.scheme
  config.host = "#{uri.host}:#{uri.port}"
  config.base_path = uri.path
  config.server_index = nil
  config.api_key['x-staging-api-key'] = ENV['API_KEY']
end
links = OpenapiClient::PaymentLinksApi.new
created = links.create_payment_link(
  OpenapiClient::CreatePaymentLinkRequest.new(
    amount: '123456789012.345678',
    amount_currency: 'usdt',
    customer_details: OpenapiClient::CreatePaymentLinkRequestCustomerDetails.new(
      email: 'ada@example.com', first_name: 'Ada', last_name: 'Obi'
    ),
    payment_reference: 'ORDER1001',
    success_url: 'https://shop.example.com/thanks',
    cancel_url: 'https://shop.example.com/cart',
    metadata: { order: 1001 },
    wallets: [OpenapiClient::CreatePaymentLinkRequestWallet.new(network: 'bep20', token: 'USDT')]
  )
)
link = links.get_payment_link(created.data.refid).data
puts JSON.generate([created.data.refid, link.refid, link.state, link.amount_required, link.reason])
