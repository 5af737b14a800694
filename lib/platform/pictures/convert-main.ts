/** Converts the picture on its standard input to a logo on its standard output. Exit code 2: refused, the reason is on stderr. */
import { buffer } from "node:stream/consumers";
import { convertPicture, SHAPES } from "./convert-picture.ts";

const converted = await convertPicture(await buffer(process.stdin), SHAPES.logo);
if (converted.ok) {
  process.stdout.write(converted.picture.bytes);
} else {
  process.stderr.write(converted.reason);
  process.exitCode = 2;
}
