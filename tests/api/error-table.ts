/**
 * One error of docs/service-interface.md, "Errors", for one endpoint. The HTTP status is that of
 * docs/decisions.md.
 */
export interface ErrorRow {
  readonly endpoint: number;
  readonly condition: string;
  /** The document's text, with its placeholder. */
  readonly message: string;
  readonly http: number;
  /** The `status` of the envelope. */
  readonly status: "fail" | "bad";
}

const rows = (
  endpoints: readonly number[],
  condition: string,
  message: string,
  http: number,
  status: "fail" | "bad" = "fail",
): ErrorRow[] => endpoints.map((endpoint) => ({ endpoint, condition, message, http, status }));

export const ERROR_TABLE: readonly ErrorRow[] = [
  ...rows([1, 2, 15], "Merchant not valid", "Invalid merchant", 403),
  ...rows([1, 2, 15], "Merchant absent", "Merchant does not exist", 404),
  ...rows([3, 4], "Hash unknown", "tx_hash details not found", 404),
  ...rows([3, 4], "Path value absent", "tx_hash not found in params", 400),
  ...rows([5], "Reference unknown", "refid details not found", 404),
  ...rows([5], "Path value absent", "refid not found in params", 400),
  ...rows([6], "Network not supported", "network not supported", 400),
  ...rows([6], "Transaction absent on chain", "Transaction not found", 404),
  ...rows([6], "Body field absent", "(tx_hash) not found in request body", 400),
  ...rows([7], "Still pending or unknown", "transaction not found or still pending", 404),
  ...rows([7], "Skipped", "transaction may have been skipped", 422),
  ...rows([7], "Failed", "transaction failed", 422),
  ...rows([7], "Network not supported", "network not supported", 400),
  ...rows([7], "Body field absent", "(tx_hash) not found in request body", 400),
  ...rows([7], "Action failed", "Action Failed", 502),
  ...rows([8], "Network not supported", "network not supported", 400),
  ...rows([8], "Body field absent", "(network) not found in request body", 400),
  ...rows([9], "Token unknown", "invalid token symbol", 400),
  ...rows([9], "Amount not above 0", "amount must be greater than 0", 400),
  ...rows([14, 15], "Network unsupported", "unsupported network", 400),
  ...rows([14, 15], "Generation disabled for the network", "wallet generation not enabled for network", 422),
  ...rows([14, 15], "Generation failed", "wallet generation failed", 502),
  ...rows([14], "Customer field absent or invalid", "(email) not found in request body for customer", 400),
  ...rows([14, 15], "Body field absent", "(network) not found in request body", 400),
  ...rows([20], "Buys disabled for token", "buys not currently enabled for token", 422),
  ...rows([20], "USDT balance too small", "insufficient USDT balance", 422),
  ...rows([20], "Fee at least the source amount", "fee cannot be greater than or equal to amount", 422),
  ...rows([20], "Amount below token minimum", "amount cannot be less than <minimum>", 422),
  ...rows([20], "Amount above token maximum", "amount cannot be more than <maximum>", 422),
  ...rows([20], "Amount not above 0", "amount must be greater than 0", 400),
  ...rows([20], "Token data cannot be loaded", "unable to get token data", 503),
  ...rows([25], "`transaction_hash` absent", "transaction_hash is required", 400, "bad"),
  ...rows([25], "No stored events for the hash", "no webhook events found for the provided transaction", 500),
];
