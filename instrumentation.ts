import type { Instrumentation } from "next";
import { getServices } from "#lib/server/services.ts";

/** What a page or an action threw goes to the program's own log; the visitor reads one fixed text. */
export const onRequestError: Instrumentation.onRequestError = (error, request, context) => {
  const { method, path } = request;
  getServices().log.error({ err: error, method, path, routePath: context.routePath }, "a page has failed");
};
