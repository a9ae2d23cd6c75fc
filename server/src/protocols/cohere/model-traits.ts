// A closed list: newer models think unless thinking is disabled.
const thoughtless =
  /^(c4ai-)?(command|((tiny-)?aya|command-(light|nightly|r|r7b|a-03-2025|a-vision|a-translate))(-.*)?)$/;

/** Whether a Cohere model can think before it responds. */
export function isThinkingModel(model: string): boolean {
  return !thoughtless.test(model);
}
