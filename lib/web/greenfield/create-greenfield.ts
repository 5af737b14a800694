import type { IncomingMessage, ServerResponse } from "node:http";
import { createGreenfieldListener, isGreenfieldPath } from "./app.ts";
import { createPages, isGreenfieldPage } from "./pages.ts";
import type { GreenfieldServices } from "./route.ts";

/** Everything of the Greenfield protocol that this process serves: its endpoints and its pages. */
export interface Greenfield {
  /** True for a path of the protocol, with its query. */
  answers(path: string): boolean;
  answer(request: IncomingMessage, response: ServerResponse): void;
}

export function createGreenfield(services: GreenfieldServices): Greenfield {
  const api = createGreenfieldListener(services);
  const pages = createPages(services);
  return {
    answers: (path) => isGreenfieldPath(path) || isGreenfieldPage(path),
    answer: (request, response) =>
      isGreenfieldPath(request.url ?? "") ? api(request, response) : void pages(request, response),
  };
}
