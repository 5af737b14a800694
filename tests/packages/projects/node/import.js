import * as client from "@paylink/client";
import * as widget from "@paylink/widget";
import * as react from "@paylink/widget/react";
import { check } from "./check.js";

await check(client, widget, react);
