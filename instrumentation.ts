import type { Instrumentation } from "next";
import { getServices } from "#lib/web/services.ts";

/** What a page or an action threw goes to the program's own log; the visitor reads one fixed text. */
export const onRequestError: Instrumentation.onRequestError = (error, request, context) => {
  getServices().log.error(
    { err: error, method: request.method, routePath: context.routePath },
    "a page has failed",
  );
};
