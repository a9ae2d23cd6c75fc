import { capitalize, formatLabel } from '#lib/format-label.ts';

const labels: Readonly<Record<string, string>> = {
  password_hash: 'Password',
  mail_id: 'Outbox email',
  sums: 'Results',
  requests: 'Requests (at least)',
  is_dummy_task: 'API access task',
  is_retired: 'No longer applies',
  score_event_id: 'Score change',
  thresholds: 'Notification thresholds (%)',
};

/** Listed in the order of the shadow run's page. */
const resultLabels: Readonly<Record<string, string>> = {
  requests: 'Requests',
  none: 'Same',
  refused_here: 'Refused here',
  refused_there: 'Refused there',
  other_model: 'Other model',
  other_cost: 'Other cost',
  not_compared: 'Not compared',
  cost_nano_usd: 'Cost here',
  other_cost_nano_usd: 'Cost there',
};

export function labelResults(results: object): [label: string, key: string, value: unknown][] {
  const keys = [...new Set([...Object.keys(resultLabels), ...Object.keys(results)])];
  return keys
    .filter((key) => key in results)
    .map((key) => [resultLabels[key] ?? fieldLabel(key), key, Reflect.get(results, key)]);
}

const acronyms = /\b(?:api|csv|ids?|llm|scim|totp|url)\b/gi;

/** Writes acronyms in upper case: `update llm provider` becomes `Update LLM provider`. */
export const toTitle = (words: string): string =>
  capitalize(words.replaceAll(acronyms, (word) => word.toUpperCase().replace('IDS', 'IDs')));

/** Formats `is_blocked` as `Blocked` and `llm_provider_id` as `LLM provider`. */
export function fieldLabel(name: string): string {
  const known = labels[name];
  if (known !== undefined) return known;
  const unit = /_ms$/.test(name) ? ' (ms)' : '';
  const words = name.replace(/^(?:is|has)_/, '').replace(/_(?:id|hash|ms|nano_usd)$/, '');
  return `${toTitle(formatLabel(words).toLowerCase())}${unit}`;
}

/** Columns whose values are API names rather than text of users. */
const namedValues: ReadonlySet<string> = new Set([
  'account_kind',
  'action',
  'audience',
  'category',
  'default_role',
  'difficulty_level',
  'kind',
  'local_passwords',
  'mapped_role',
  'new_accounts',
  'period',
  'prompt_privacy',
  'provisioned_by',
  'role',
  'scopes',
  'second_factor_roles',
  'severity',
  'status',
  'status_before_suspension',
  'unpriced_models',
  'usage_source',
  'verdict',
]);

/** Returns the label of a value: `open` of a `status` becomes `Open`. Text of users is unchanged. */
export const valueLabel = (column: string, value: string): string =>
  namedValues.has(column) && /^[a-z]+(?:_[a-z]+)*$/.test(value) ? toTitle(value.replaceAll('_', ' ')) : value;
