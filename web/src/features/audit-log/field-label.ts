import { capitalize, formatLabel } from '#lib/format-label.ts';

const labels: Readonly<Record<string, string>> = {
  password_hash: 'Password',
  mail_id: 'Email',
  sums: 'Results',
  is_dummy_task: 'API access task',
  is_retired: 'No longer applies',
  score_event_id: 'Score change',
  thresholds: 'Notification thresholds (%)',
};

const acronyms = /\b(?:api|csv|llm|scim|totp|url)\b/gi;

/** Returns a name in lower case with acronyms in upper case, capitalized: `update llm provider` becomes `Update LLM provider`. */
export const toTitle = (words: string): string =>
  capitalize(words.replaceAll(acronyms, (word) => word.toUpperCase()));

/** Returns the label of an audited column: `is_blocked` becomes `Blocked`, `llm_provider_id` becomes `LLM provider`. */
export function fieldLabel(name: string): string {
  const known = labels[name];
  if (known !== undefined) return known;
  const unit = /_ms$/.test(name) ? ' (ms)' : '';
  const words = name.replace(/^(?:is|has)_/, '').replace(/_(?:id|hash|ms|nano_usd)$/, '');
  return `${toTitle(formatLabel(words).toLowerCase())}${unit}`;
}
