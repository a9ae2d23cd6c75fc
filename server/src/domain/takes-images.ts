/** Model families that accept images, according to their vendors' documentation; the price list does not include it. */
const families = [
  /\bgpt-(4o|4\.1|4-turbo|4\.5|5)/,
  /\bchatgpt-4o/,
  /\bo(1|3|4-mini)\b/,
  /\bclaude-(3|sonnet|opus|haiku|fable|mythos)/,
  /\bgemini-/,
  /\bgemma-?[34]/,
  /\bpixtral/,
  /\bmistral-(small|medium|large)/,
  /\bllama-?4|\bllama-?3\.2-(11b|90b)/,
  /\bgrok-(4|2-vision)/,
  /\bnova-(lite|pro|premier)/,
  /\bkimi-k2\.5/,
  /\b(llava|moondream|minicpm-v|internvl|molmo)/,
  /vision|multimodal|[-_.\d]vl\b/,
];

/** Models of those families that do not accept images, or do not generate text. */
const exceptions =
  /embed|audio|transcri|tts|realtime|guard|\bo[13]-mini|claude-3-5-haiku|\bgemma-?3:?-?(270m|1b)/;

/** Whether a model is known to accept images; unknown models do not. */
export function takesImages(model: string): boolean {
  const name = model.toLowerCase();
  return !exceptions.test(name) && families.some((family) => family.test(name));
}
