/** Starts the reference. Its colors follow the system. Each operation shows samples of the document. */
const dark = matchMedia("(prefers-color-scheme: dark)");
const followSystem = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followSystem);
followSystem();

/** The language that the reader chose last, for the operations that are opened after it. */
let language = "curl";

/** A request in several languages, of which one is shown. `react`: that of the library. */
function Samples({ react: { createElement: element, useState }, samples }) {
  const [label, choose] = useState(language);
  const shown = samples.find((sample) => sample.label === label) ?? samples[0];
  const buttons = samples.map((sample) =>
    element(
      "button",
      {
        key: sample.label,
        type: "button",
        "aria-pressed": sample === shown,
        onClick: () => {
          language = sample.label;
          choose(language);
        },
      },
      sample.label,
    ),
  );
  const source = shown.source.replaceAll("https://pay.example.com", location.origin);
  return element(
    "section",
    { className: "samples", "aria-label": "Sample" },
    element("div", { role: "group", "aria-label": "Language" }, buttons),
    // A keyboard scrolls a long line.
    element("pre", { tabIndex: 0 }, element("code", null, source)),
  );
}

/** Puts the samples above the answers of an operation. */
function samplesPlugin({ React: react }) {
  const withSamples = (Original, { specSelectors }) =>
    function Responses(props) {
      const place = ["paths", props.path, props.method, "x-codeSamples"];
      const samples = specSelectors.specJson().getIn(place)?.toJS() ?? [];
      const original = react.createElement(Original, { key: "responses", ...props });
      if (samples.length === 0) return original;
      return [react.createElement(Samples, { key: "samples", react, samples }), original];
    };
  return { wrapComponents: { responses: withSamples } };
}

// Without `validatorUrl: null` the library would send the document to an external validator.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  displayRequestDuration: true,
  // Groups open one by one: the first screen is short and quick.
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  filter: true,
  plugins: [samplesPlugin],
  showExtensions: false,
  validatorUrl: null,
});
