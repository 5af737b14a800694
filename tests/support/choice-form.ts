/** The form with which a payment page's first button chooses a network, as a browser without scripts posts it. */
export function choiceForm(page: string): FormData {
  const form = new FormData();
  for (const [, name = "", value = ""] of page.matchAll(
    /<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g,
  ))
    form.append(name, value.replaceAll("&quot;", '"'));
  const button = /name="pair"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="pair"/.exec(page);
  form.append("pair", button?.[1] ?? button?.[2] ?? "bep20:usdt");
  return form;
}
