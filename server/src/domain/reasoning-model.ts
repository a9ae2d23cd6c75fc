/** Names of models that reason by default; their vendors hide some or all of it. */
const reasoningNames =
  /^(o[1-9]|gpt-[5-9](?!.*-chat)|gpt-oss|codex|gemini-(2\.5|[3-9])|grok-([4-9]|3-mini)|magistral|qwq|deepseek-(r\d|v4))|reason|think|deep-research|(^|[-/])r1\b/i;
const plainNames = /non-reasoning|no-?think|embedding|-image/i;

/** Whether a model is known to reason before it responds, by its name with or without a vendor prefix. */
export function isReasoningModel(model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1);
  return reasoningNames.test(name) && !plainNames.test(name);
}
