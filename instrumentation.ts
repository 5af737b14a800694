import type { Instrumentation } from "next";
import { getServices } from "#lib/web/services.ts";

/** Logs the errors that pages and actions throw. The visitor sees only a fixed text. */
export const onRequestError: Instrumentation.onRequestError = (error, request, context) => {
  getServices().log.error(
    { err: error, method: request.method, routePath: context.routePath },
    "page or action failed",
  );
};
