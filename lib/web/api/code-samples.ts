/** A request of a sample. */
export interface SampleRequest {
  /** In upper case. */
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the request. Null: it has none. */
  readonly body: unknown;
}

/** A sample in the form that readers of OpenAPI documents know as `x-codeSamples`. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The request in five languages. Each prints the answer, and needs nothing but Python its `requests`. */
export function writeSamples(request: SampleRequest): readonly CodeSample[] {
  return [
    { lang: "Shell", label: "curl", source: writeCurl(request) },
    { lang: "JavaScript", label: "JavaScript", source: writeJavaScript(request) },
    { lang: "Python", label: "Python", source: writePython(request) },
    { lang: "PHP", label: "PHP", source: writePhp(request) },
    { lang: "Go", label: "Go", source: writeGo(request) },
  ];
}

const toJson = (value: unknown, indent = "") =>
  JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
const shellText = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const phpText = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;
const headerLines = ({ headers }: SampleRequest) => Object.entries(headers);

function writeCurl(request: SampleRequest): string {
  const { method, url, body } = request;
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${shellText(url)}`,
    ...headerLines(request).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${shellText(toJson(body))}`]),
  ].join(" \\\n  ");
}

function writeJavaScript({ method, url, headers, body }: SampleRequest): string {
  return [
    `const response = await fetch(${toJson(url)}, {`,
    `  method: ${toJson(method)},`,
    `  headers: ${toJson(headers, "  ")},`,
    ...(body === null ? [] : [`  body: JSON.stringify(${toJson(body, "  ")}),`]),
    "});",
    "console.log(await response.json());",
  ].join("\n");
}

const PYTHON: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

function writePython({ method, url, headers, body }: SampleRequest): string {
  const literal = (value: unknown) =>
    toJson(value, "    ").replace(/"(?:[^"\\]|\\.)*"|true|false|null/g, (token) => PYTHON[token] ?? token);
  return [
    "import requests",
    "",
    "response = requests.request(",
    `    ${toJson(method)},`,
    `    ${toJson(url)},`,
    `    headers=${literal(headers)},`,
    ...(body === null ? [] : [`    json=${literal(body)},`]),
    ")",
    "print(response.json())",
  ].join("\n");
}

function writePhp(request: SampleRequest): string {
  const { method, url, body } = request;
  const headers = headerLines(request).map(([name, value]) => phpText(`${name}: ${value}`));
  return [
    "<?php",
    `$curl = curl_init(${phpText(url)});`,
    "curl_setopt_array($curl, [",
    `    CURLOPT_CUSTOMREQUEST => ${phpText(method)},`,
    `    CURLOPT_HTTPHEADER => [${headers.join(", ")}],`,
    "    CURLOPT_RETURNTRANSFER => true,",
    ...(body === null ? [] : [`    CURLOPT_POSTFIELDS => ${phpText(toJson(body))},`]),
    "]);",
    "echo curl_exec($curl);",
  ].join("\n");
}

function writeGo(request: SampleRequest): string {
  const { method, url, body } = request;
  const imports = ["fmt", "io", "net/http", ...(body === null ? [] : ["strings"])];
  const reader = body === null ? "nil" : `strings.NewReader(\`${toJson(body).replaceAll("`", "'")}\`)`;
  return [
    "package main",
    "",
    `import (\n${imports.map((name) => `\t"${name}"`).join("\n")}\n)`,
    "",
    "func main() {",
    `\trequest, _ := http.NewRequest(${toJson(method)}, ${toJson(url)}, ${reader})`,
    ...headerLines(request).map(([name, value]) => `\trequest.Header.Set(${toJson(name)}, ${toJson(value)})`),
    "\tresponse, err := http.DefaultClient.Do(request)",
    "\tif err != nil {\n\t\tpanic(err)\n\t}",
    "\tdefer response.Body.Close()",
    "\tanswer, _ := io.ReadAll(response.Body)",
    "\tfmt.Println(string(answer))",
    "}",
  ].join("\n");
}
