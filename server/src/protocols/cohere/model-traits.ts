// A closed list: all that has come since thinks, unless it is told not to.
const thoughtless =
  /^(c4ai-)?(command|((tiny-)?aya|command-(light|nightly|r|r7b|a-03-2025|a-vision|a-translate))(-.*)?)$/;

/** Whether a model of Cohere's can think before it answers. */
export function isThinkingModel(model: string): boolean {
  return !thoughtless.test(model);
}
