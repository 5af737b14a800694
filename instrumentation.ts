import type { Instrumentation } from "next";
import { isDatabaseUnavailable } from "#lib/platform/db/availability.ts";
import { markUnavailable } from "#lib/web/page/unavailable.ts";
import { getServices } from "#lib/web/services.ts";

/** Logs the errors that pages and actions throw. The visitor sees only a fixed text. */
export const onRequestError: Instrumentation.onRequestError = (error, request, context) => {
  if (isDatabaseUnavailable(error)) markUnavailable();
  getServices().log.error(
    { err: error, method: request.method, routePath: context.routePath },
    "page or action failed",
  );
};
