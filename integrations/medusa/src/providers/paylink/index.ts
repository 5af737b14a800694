import { ModuleProvider, Modules } from "@medusajs/framework/utils";
import { PaylinkPaymentProvider } from "./service.ts";

export type { PaylinkOptions } from "../../options.ts";

export default ModuleProvider(Modules.PAYMENT, { services: [PaylinkPaymentProvider] });
