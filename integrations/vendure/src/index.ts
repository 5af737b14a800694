export { paylinkPaymentHandler } from "./handler.ts";
export type { PaylinkPluginOptions } from "./options.ts";
export { PaylinkService } from "./paylink.service.ts";
export { PaylinkPlugin } from "./plugin.ts";
