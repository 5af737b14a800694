import { isJsonObject } from "#lib/platform/json-text.ts";
import { PATH_PARAMETERS } from "./openapi-text.ts";

type Json = Record<string, unknown>;

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const CONTRACT = "0x55d398326f99059fF775485246999027B3197955";
const TX_HASH = PATH_PARAMETERS.tx_hash?.example;
const REFID = PATH_PARAMETERS.refid?.example;
const FORM = PATH_PARAMETERS.form?.example;
const TIME = "2030-01-31T12:00:00.000Z";

/**
 * Examples of fields, by name or by component and name, so that all records of the document are about one payment:
 * 25.5 USDT for a link of 38,250 NGN. A field with an example of its own needs no entry.
 */
const FIELD_EXAMPLES: Readonly<Record<string, unknown>> = {
  _to: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  address: ADDRESS,
  address_network: "bep20",
  amount: 25.5,
  amount_currency: "ngn",
  amount_required: 38250,
  attempts: 1,
  cancel_url: "https://shop.example.com/cart",
  completed_at: TIME,
  confirmations: 15,
  confirmed_at: TIME,
  contract: CONTRACT,
  customer: "ada@example.com",
  email: "owner@shop.example.com",
  expires_at: "2030-01-31T14:00:00Z",
  failing_since: "2030-01-26T11:00:00.000Z",
  first_name: "Ada",
  last_name: "Obi",
  merchant: "owner@shop.example.com",
  metadata: { order: 1001 },
  network: "bep20",
  output_pos: 4,
  payment_link: `https://pay.example.com/pay/${REFID}`,
  payment_reference: "ORDER1001",
  processed_at: TIME,
  rate_source: "fixed",
  ref: "1042",
  refid: REFID,
  required_confirmations: 15,
  sender: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  success_url: "https://shop.example.com/thanks",
  token: "usdt",
  tokens: "usdt",
  total_received: 25.5,
  transaction_hash: TX_HASH,
  tx_hash: TX_HASH,
  tx_hashes: TX_HASH,
  url: "https://shop.example.com/webhooks/paylink",
  webhook_ids: 12,
  ask: "email",
  fields: "Size",
  form: FORM,
  form_url: `https://pay.example.com/buy/${FORM}`,
  stock: 100,
  suggested_amounts: 38250,
  taken_amount: 76500,
  taken_quantity: 2,
  title: "Summer sale T-shirt",
  "Form.amount": 38250,
  "Balance.usdt": 125.5,
  "CreatedPaymentLink.wallet_pre_generated": 1,
  "Customer.email": "ada@example.com",
  "Deposit.status": 1,
  "DepositEventData.status": 1,
  "DepositStatusView.status": 1,
  "DepositStatusViewWithOthers.status": 1,
  "DepositWithOthers.status": 1,
  "HistoryEntry.balance_after": 125.5,
  "HistoryEntry.balance_before": 100,
  "LinkItem.amount": 38250,
  "LinkItem.name": "Coffee, 1 kg",
  "LinkItem.quantity": 2,
  "LinkCustomer.email": "ada@example.com",
  "NetworkConfiguration.generate": 1,
  "NetworkConfiguration.network": "bep20",
  "NetworkConfiguration.receive": 1,
  "NetworkConfiguration.send": 1,
  "NetworkConfiguration.status": 1,
  "Payment.status": 1,
  "Payment.worth": 1,
  "PaymentLink.excess": [],
  "PaymentLink.remaining": [],
  "PaymentLink.state": "completed",
  "PaymentLink.reason": null,
  "PaymentLink.wallet_pre_generated": 1,
  "PaymentLinkEventData.amount_required": "38250",
  "PaymentLinkEventData.email": "ada@example.com",
  "PaymentLinkEventData.excess": [],
  "PaymentLinkEventData.reason": null,
  "PaymentLinkEventData.remaining": [],
  "PaymentLinkEventData.state": "completed",
  "PaymentLinkEventData.status": 1,
  "PaymentLinkEventData.worth": "1",
  "PaymentLinkSummary.reason": null,
  "PaymentLinkSummary.state": "completed",
  "PaymentLinkSummary.wallet_pre_generated": 1,
  "PaymentLinkWallet.token": "USDT",
  "Quote.rate": 1500,
  "Quote.valid_until": "2030-01-31T12:20:00.000Z",
  "SandboxPayment.contract": null,
  "SandboxPayment.event": "payment_link_completed",
  "SandboxPayment.fate": "mined",
  "SandboxPayment.state": "completed",
  "Statistics.total_credit": 25.5,
  "Statistics.total_debit": 0,
  "Statistics.total_volume": 25.5,
  "SupportedNetwork.tokens": ["USDT"],
  "TokenConfiguration.buy": 0,
  "TokenConfiguration.maximum_receive": 1000000,
  "TokenConfiguration.maximum_send": 100000,
  "TokenConfiguration.maximum_trade": 100000,
  "TokenConfiguration.minimum_receive": 1,
  "TokenConfiguration.minimum_send": 10,
  "TokenConfiguration.minimum_trade": 1,
  "TokenConfiguration.price_usd": 1,
  "TokenConfiguration.receive": 1,
  "TokenConfiguration.send": 1,
  "TokenConfiguration.send_fee": 1,
  "TokenConfiguration.status": 1,
  "UnmatchedDeposit.contract": CONTRACT,
  "UnmatchedDeposit.raw_value": 25500000,
  "UnmatchedDeposit.status": 3,
  "UnmatchedDeposit.token": null,
  "UnmatchedDeposit.value": null,
  "WebhookAttempt.answer": null,
  "WebhookAttempt.duration_ms": 84,
  "WebhookAttempt.status": 200,
  "WebhookDelivery.last_status": 200,
  "WebhookDelivery.status": "delivered",
  "WebhookDelivery.type": "payment_link_completed",
  "WebhookDelivery.webhook_id": 12,
  "WebhookEndpointEventData.reason": "failing",
  "WhitelistedIp.ip_name": "Office",
  "Withdrawal.checked": 1,
  "Withdrawal.status": 3,
  "WithdrawalEventData.checked": 1,
  "WithdrawalEventData.fee": "1",
  "WithdrawalEventData.status": 3,
};

/** Where a schema is: the document's components, the nearest named component, the name of the field. */
interface Place {
  readonly components: Readonly<Record<string, Json>>;
  readonly component: string;
  readonly field: string;
}

/**
 * An example of a value with this schema of the OpenAPI document. Optional members are left out unless they have an
 * example. Throws if a text or a decimal has no example: add it to FIELD_EXAMPLES or to the field.
 */
export function composeExample(components: Readonly<Record<string, Json>>, schema: Json): unknown {
  return compose(schema, { components, component: "", field: "" });
}

function compose(schema: Json, place: Place): unknown {
  const { components, component, field } = place;
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.replace("#/components/schemas/", "");
    return compose(components[name] ?? {}, { ...place, component: name });
  }
  const special = FIELD_EXAMPLES[`${component}.${field}`];
  if (special !== undefined) return special;
  if (schema.example !== undefined) return schema.example;
  if (isJsonObject(schema.properties)) return composeObject(schema, place);
  if (isJsonObject(schema.items)) return [compose(schema.items, place)];
  return FIELD_EXAMPLES[field] ?? composePlain(schema, place);
}

function composeObject({ properties, required = [] }: Json, place: Place): Json {
  const isShown = (name: string, property: Json) =>
    (required as string[]).includes(name) || property.example !== undefined;
  return Object.fromEntries(
    Object.entries(properties as Record<string, Json>)
      .filter(([name, property]) => isShown(name, property))
      .map(([name, property]) => [name, compose(property, { ...place, field: name })]),
  );
}

function composePlain({ type, enum: values, format }: Json, { component, field }: Place): unknown {
  const types = [type].flat();
  if (types.includes("null")) return null;
  if (Array.isArray(values)) return values[0];
  if (format === "date-time") return TIME;
  if (types.includes("integer")) return 1;
  if (types.includes("boolean")) return false;
  throw new Error(`The OpenAPI document has no example for ${component}.${field}`);
}
