import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract, pathOf, type RouteRow } from './index.ts';

/** Contains field names, and the defaults of omitted query fields. */
interface Call {
  readonly query?: string;
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly form?: string;
  readonly body?: string;
  /** Fields of the response or of its list entries. */
  readonly response?: string;
  /** Fields of the objects at a path in the response. */
  readonly within?: Readonly<Record<string, string>>;
  readonly isList?: boolean;
}

const quotas = 'daily_quota monthly_quota requests_per_hour';
const userFields = `id name email role_id ${quotas} current_daily_usage current_monthly_usage is_active is_blocked created_at`;

const accounts: Readonly<Record<string, Call>> = {
  'POST /auth/login': { form: 'username password', response: 'access_token' },
  'GET /auth/me': { response: 'name email role', within: { role: 'name permissions' } },
  'POST /admin/invitations': { body: 'email role', response: 'id status' },
  'GET /admin/invitations': {
    query: 'status_filter skip limit',
    defaults: { skip: 0, limit: 50 },
    response: 'id email role status invited_by_name created_at expires_at accepted_at',
    isList: true,
  },
  'DELETE /admin/invitations/{id}': {},
  'POST /admin/invitations/{id}/resend': {},
  'GET /admin/invitations/stats': { response: 'total pending accepted expired cancelled' },
  'GET /invitations/public/{token}/details': { response: 'company_name inviter_name role_name email' },
  'POST /invitations/public/{token}/accept': { body: 'name password' },
  'GET /admin/users': { response: userFields, isList: true },
  'GET /admin/users/{id}': { response: userFields },
  'POST /admin/users': { body: `email name password role_id ${quotas}` },
  'PUT /admin/users/{id}': { body: `name email role_id ${quotas} is_active` },
  'POST /admin/users/{id}/block': { query: 'reason' },
  'POST /admin/users/{id}/unblock': {},
  'POST /admin/users/{id}/change-password': { body: 'password' },
  'GET /admin/roles': { response: 'id name description can_assign current_count max_allowed', isList: true },
  'GET /admin/users/{id}/api-key': {
    response: 'has_api_key api_key_status',
    within: { api_key_status: 'name is_active is_expired scopes created_at last_used_at expires_at' },
  },
  'POST /admin/users/{id}/api-key': { response: 'api_key' },
  'PUT /admin/users/{id}/api-key/regenerate': { response: 'api_key' },
  'DELETE /admin/users/{id}/api-key': {},
};

const logFilters = 'user_id task_id status intent_classification model start_date end_date search';
const logFields =
  'id timestamp user_id task_id prompt response model status error_message response_time_ms prompt_tokens completion_tokens openai_tokens_used intent_classification confidence_score user_score_before user_score_after deviation_score_delta';
const dates = 'start_date end_date user_id';
const taskFields =
  'id title description category difficulty_level estimated_hours token_limit max_tokens_per_request is_active created_at assigned_users_count total_requests has_assignments is_dummy_task user_id';
const grantFields =
  'provider_key provider_instance_name llm_provider_id provider_registry_id allowed_models created_at';
const teamFields = 'id name description is_active created_at member_count admin_count members';
const memberFields = 'user_id user_name user_email role is_active joined_at';
const pickedUser = 'id name email is_blocked';

const governance: Readonly<Record<string, Call>> = {
  'GET /admin/logs': {
    query: `${logFilters} limit skip`,
    defaults: { limit: 100, skip: 0 },
    response: logFields,
    isList: true,
  },
  'GET /admin/logs/{id}': { response: logFields },
  'GET /admin/logs/export': { query: `${logFilters} format`, defaults: { format: 'csv' } },
  'GET /admin/analytics/usage': {
    query: `days ${dates}`,
    defaults: { days: 7 },
    response: 'total_requests avg_requests_per_day total_tokens_used active_users intent_distribution',
  },
  'GET /admin/analytics/daily-usage': {
    query: `days ${dates}`,
    defaults: { days: 30 },
    response: 'date tokens unique_users',
    isList: true,
  },
  'GET /admin/analytics/top-users': {
    query: `days limit ${dates}`,
    defaults: { days: 30, limit: 10 },
    response: 'user_name total_requests total_tokens average_deviation_score last_request',
    isList: true,
  },
  'GET /admin/analytics/top-models': {
    query: `days limit ${dates}`,
    defaults: { limit: 10 },
    response: 'model provider_key total_requests total_tokens unique_users percentage',
    isList: true,
  },
  'GET /admin/analytics/top-api-keys': {
    query: `days limit breakdown ${dates}`,
    defaults: { limit: 10, breakdown: undefined },
    response: 'entity_name entity_type total_requests total_tokens percentage last_used',
    isList: true,
  },
  'GET /admin/analytics/spend-by-provider': {
    query: `days ${dates}`,
    response: 'provider_key provider_name date user_llm_spend company_llm_spend total_spend',
    isList: true,
  },
  'GET /admin/tasks': {
    query: 'category difficulty_level is_active search',
    response: taskFields,
    isList: true,
  },
  'GET /admin/tasks/{id}': { response: taskFields },
  'POST /admin/tasks': {
    body: 'title description category difficulty_level estimated_hours token_limit max_tokens_per_request is_active is_dummy_task user_id',
  },
  'PUT /admin/tasks/{id}': {
    body: 'title description category difficulty_level estimated_hours token_limit max_tokens_per_request is_active',
  },
  'GET /admin/tasks/{id}/deletion-impact': {
    response: 'active_assignments_count affected_users warnings',
    within: { affected_users: 'user_id user_name user_email assignment_duration_days assigned_since' },
  },
  'DELETE /admin/tasks/{id}': {},
  'PATCH /admin/tasks/{id}/toggle-status': {},
  'GET /admin/tasks/{id}/assignments': { isList: true },
  'GET /admin/task-assignments': { isList: true },
  'POST /admin/task-assignments': { body: 'task_id user_id progress_notes' },
  'PUT /admin/task-assignments/{id}': { body: 'task_id user_id progress_notes' },
  'DELETE /admin/task-assignments/{id}': {},
  'GET /admin/tasks/user-stats': {},
  'GET /admin/teams': {
    query: 'skip limit is_active search',
    defaults: { skip: 0, limit: 100 },
    response: 'teams total',
    within: { teams: teamFields },
  },
  'POST /admin/teams': { body: 'name description' },
  'GET /admin/teams/{id}': { response: teamFields, within: { members: memberFields } },
  'PUT /admin/teams/{id}': { body: 'name description is_active' },
  'DELETE /admin/teams/{id}': {},
  'GET /admin/teams/{id}/members': { response: memberFields, isList: true },
  'POST /admin/teams/{id}/members': { body: 'user_id role' },
  'PUT /admin/teams/{id}/members/{userId}': { body: 'role is_active' },
  'DELETE /admin/teams/{id}/members/{userId}': {},
  'GET /admin/teams/{id}/available-users': { response: pickedUser, isList: true },
  'GET /admin/provider-access/users': {
    query: 'user_id provider_id skip limit',
    defaults: { skip: 0, limit: 100 },
    response: `user_id user_name ${grantFields}`,
    isList: true,
  },
  'POST /admin/provider-access/users': { body: 'user_id llm_provider_id allowed_models' },
  'PUT /admin/provider-access/users/{userId}/providers/{providerId}': { body: 'allowed_models' },
  'DELETE /admin/provider-access/users/{userId}/providers/{providerId}': {},
  'GET /admin/provider-access/teams': {
    query: 'team_id provider_id skip limit',
    defaults: { skip: 0, limit: 100 },
    response: `team_id team_name ${grantFields}`,
    isList: true,
  },
  'POST /admin/provider-access/teams': { body: 'team_id llm_provider_id allowed_models' },
  'PUT /admin/provider-access/teams/{teamId}/providers/{providerId}': { body: 'allowed_models' },
  'DELETE /admin/provider-access/teams/{teamId}/providers/{providerId}': {},
  'GET /admin/provider-access/users/{userId}/available-providers': {
    response: 'total_providers total_models providers',
    within: { providers: 'provider_instance_name provider_key allowed_models access_source' },
  },
  'GET /admin/provider-access/available-providers': { response: 'is_active', isList: true },
  'GET /admin/provider-access/available-users': { response: pickedUser, isList: true },
  'GET /admin/provider-access/available-teams': { isList: true },
  'GET /admin/provider-access/summary': {
    response:
      'total_user_accesses total_team_accesses total_unique_users_with_access total_unique_teams_with_access provider_usage_stats',
    within: {
      provider_usage_stats:
        'provider_key provider_instance_name user_access_count team_access_count total_access_count',
    },
  },
  'POST /admin/provider-access/users/bulk': { body: 'accesses' },
  'POST /admin/provider-access/teams/bulk': { body: 'accesses' },
  'GET /provider-registry': {
    response: 'id provider_key display_name icon supported_models is_active value label models',
    isList: true,
  },
  'POST /provider-registry': {},
  'GET /provider-registry/{id}': { response: 'id provider_key display_name icon supported_models' },
  'PUT /provider-registry/{id}': {},
  'DELETE /provider-registry/{id}': {},
  'GET /provider-registry/summary/stats': {},
  'GET /credits/balance': {},
  'GET /credits/check': { query: 'amount' },
  'POST /credits/recharge': {},
  'GET /credits/transactions': { query: 'transaction_type limit offset days' },
  'GET /credits/usage/summary': { query: 'days', defaults: { days: 30 } },
  'GET /credits/usage/by-provider': { query: 'days' },
  'PUT /credits/settings/threshold': { body: 'threshold' },
  'PUT /credits/settings/spending/{flag}': {},
  'GET /credits/pricing': { query: 'provider model', response: 'markup_percentage models' },
  'GET /credits/pricing/estimate': {
    query: 'provider model input_text max_output_tokens',
    defaults: { max_output_tokens: 1000 },
  },
  'GET /credits/pricing/cheapest': {
    query: 'min_tokens provider',
    defaults: { min_tokens: 4000 },
    response: 'input_per_1k output_per_1k max_tokens',
  },
  'POST /credits/admin/recharge/{userId}': {},
  'GET /credits/admin/low-balance-users': { query: 'threshold' },
  'GET /credits/admin/statistics': {},
  'POST /credits/admin/refund/{userId}': { query: 'amount description original_transaction_id' },
};

const connection = 'success available_models error';
const instanceFields =
  'id provider_registry_id provider_key provider_instance_name api_endpoint enabled_models default_model is_default is_active is_service_managed created_at available_models';
const chatFields = 'id title updated_at task_id total_tokens_used';
const comparisonFields = 'id prompt status created_at providers_count total_cost results';
const planFields = 'id name description price_monthly price_yearly';
const profileFields = 'name email created_at last_login total_tokens_used current_deviation_score role';

const userArea: Readonly<Record<string, Call>> = {
  'GET /llm-providers/service-managed/{id}/models': { response: connection },
  'GET /llm-providers/{id}/deletion-impact': {
    response: 'provider_name message has_impact impact',
    within: { impact: 'affected_users affected_teams user_list team_list' },
  },
  'DELETE /llm-providers/{id}': {},
  'GET /llm-providers': { response: instanceFields, isList: true },
  'POST /llm-providers': {
    body: 'provider_registry_id provider_instance_name api_key api_endpoint enabled_models default_model is_default is_active is_service_managed',
  },
  'PUT /llm-providers/{id}': {},
  'POST /llm-providers/test': { body: 'provider_registry_id api_key api_endpoint', response: connection },
  'GET /admin/blacklist': {
    response: 'id provider_key model_pattern reason description blocked_by_user_name created_at',
    isList: true,
  },
  'POST /admin/blacklist': { body: 'provider_key model_pattern reason description' },
  'DELETE /admin/blacklist/{id}': {},
  'POST /admin/blacklist/check': {
    body: 'provider_key model_name',
    response: 'is_blacklisted provider_key model_name reason',
  },
  'GET /admin/blacklist/summary': {
    response: 'summary',
    within: { summary: 'total_entries providers_affected complete_provider_blocks model_specific_blocks' },
  },
  'GET /admin/blacklist/enabled-models': { response: 'provider_key enabled_models', isList: true },
  'GET /tenants/my-tenant': { response: 'id name slug status' },
  'GET /credits/my-tenant/balance': {
    response:
      'current_balance lifetime_spent lifetime_recharged last_transaction_at is_low_balance is_zero_balance',
  },
  'POST /credits/my-tenant/create-payment-intent': { query: 'amount', response: 'client_secret' },
  'POST /credits/my-tenant/confirm-payment': { query: 'payment_intent_id', response: 'amount_added' },
  'GET /credits/my-tenant/transactions': {
    query: 'transaction_type days limit',
    response: 'transactions',
    within: {
      transactions:
        'id transaction_type amount description created_at payment_method payment_reference provider_key model_name tokens_used balance_before balance_after',
    },
  },
  'GET /admin/billing/metrics': {},
  'GET /admin/billing/tenants': {},
  'GET /admin/billing/export': {},
  'POST /admin/billing/tenants/{id}/cancel': {},
  'PUT /admin/billing/tenants/{id}/subscription': {},
  'GET /admin/billing/webhooks/events': {
    query: 'status event_type failed_only limit offset',
    defaults: { limit: 50 },
    response: 'id event_id event_type status created_at processed_at retry_count',
    isList: true,
  },
  'GET /admin/billing/webhooks/stats': {
    query: 'days',
    response: 'total_events successful_events failed_events success_rate event_types',
  },
  'POST /admin/billing/webhooks/retry-failed': {
    body: 'max_retries',
    response: 'retried_count success_count still_failed_count',
  },
  'POST /compare': { body: 'prompt provider_models', response: 'id' },
  'GET /compare/{id}': {
    response: comparisonFields,
    within: {
      results:
        'id provider_registry_id provider_name model_name status response_text error_message cost response_time_ms total_tokens',
    },
  },
  'GET /compare': {
    query: 'limit offset',
    defaults: { limit: 20 },
    response: comparisonFields,
    isList: true,
  },
  'GET /compare/stats': { response: 'total_comparisons total_cost average_cost_per_comparison' },
  'GET /compare/admin/all': { query: 'limit offset user_id', defaults: { limit: 50 }, isList: true },
  'GET /user/stats': { response: 'total_tokens_used current_deviation_score' },
  'GET /user/daily-usage': { query: 'days', response: 'date tokens', isList: true },
  'GET /user/logs': {
    query: 'task_id status start_date end_date search limit skip',
    defaults: { limit: 50 },
    isList: true,
  },
  'GET /user/logs/export': {
    query: 'task_id status start_date end_date search limit skip format',
    defaults: { format: 'csv' },
  },
  'GET /user/tasks': {
    response:
      'id task_id task_title task_description task_category task_difficulty status tokens_used token_limit estimated_hours progress_notes assigned_at completion_date',
    isList: true,
  },
  'GET /user/profile': { response: profileFields, within: { role: 'name permissions' } },
  'GET /user/quota-status': {
    response: 'deviation_score warnings',
    within: { warnings: 'blocked_status high_deviation_score' },
  },
  'PUT /user/profile': { body: 'name' },
  'POST /user/change-password': { body: 'current_password new_password' },
  'PUT /user/tasks/{id}/progress': { body: 'progress_notes' },
  'PATCH /user/tasks/{id}/complete': {},
  'GET /auth/api-keys': {
    response: 'api_keys',
    within: { api_keys: 'name masked_key is_active is_expired scopes created_at last_used_at expires_at' },
  },
  'POST /chats/new': { response: chatFields },
  'GET /chats': { query: 'task_id', response: chatFields, isList: true },
  'GET /chats/{id}': {
    response: 'messages total_tokens_used',
    within: { messages: 'id is_user content created_at tokens_used intent' },
  },
  'POST /chats/send': {
    body: 'chat_id content',
    response: 'message response remaining_tokens chat_updated',
    within: { chat_updated: 'title updated_at total_tokens_used' },
  },
  'GET /chats/task/{id}/context': { response: 'title description category token_limit' },
  'GET /chats/task/{id}': { response: chatFields },
  'DELETE /chats/{id}': {},
  'GET /billing/plans': { response: planFields, isList: true },
  'GET /billing/plans/{id}': { response: planFields },
  'POST /payment/setup-intent': { response: 'client_secret' },
  'POST /auth/signup': {
    body: 'email name password company_name selected_plan_id billing_cycle payment_method_id setup_intent_id trial_days',
  },
  'GET /billing/payment-methods': { isList: true },
  'POST /billing/payment-methods': { body: 'payment_method_id' },
  'DELETE /billing/payment-methods/{id}': {},
  'PATCH /billing/payment-methods/{id}/default': {},
  'POST /chat/completions': { body: 'model messages task_id format' },
};

const routes = new Map<string, RouteRow>(
  Object.values(contract)
    .flatMap((noun) => Object.values<RouteRow>(noun))
    .map((row) => [`${row.method} ${pathOf(row).replace('/api/v1', '')}`, row]),
);

/** Returns the members of a union, or of the entries of a list. */
function alternativesOf(schema: unknown): z.ZodType[] {
  if (schema instanceof z.ZodArray) return alternativesOf(schema.element);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternativesOf);
  if (schema instanceof z.ZodPipe) return alternativesOf(schema.in);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return alternativesOf(schema.unwrap());
  return schema instanceof z.ZodType ? [schema] : [];
}

const shapeOf = (schema: unknown): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...alternativesOf(schema).map((one) => (one instanceof z.ZodObject ? one.shape : {})));

const names = (text = '') => text.split(' ').filter(Boolean);

function expectFields(schema: unknown, wanted: string | undefined, of: string): void {
  const shape = shapeOf(schema);
  expect(
    names(wanted).filter((name) => !(name in shape)),
    `missing in the ${of}`,
  ).toEqual([]);
}

function expectDefaults(query: z.ZodType | undefined, defaults: Call['defaults']): void {
  const shape = shapeOf(query);
  for (const [name, value] of Object.entries(defaults ?? {})) {
    const schema = shape[name];
    expect(schema instanceof z.ZodType && schema.safeParse(undefined).data, name).toEqual(value);
  }
}

describe.each([
  ['accounts and conventions', accounts],
  ['monitoring and governance', governance],
  ['providers, billing and the user area', userArea],
] as const)('specified calls: %s', (_, calls) => {
  it.each(Object.entries(calls))('%s has the fields and defaults of the specification', (place, call) => {
    const row = routes.get(place);
    if (!row) throw new Error(`No route serves ${place}`);
    expectFields(row.request?.query, call.query, 'query');
    expectDefaults(row.request?.query, call.defaults);
    expectFields(row.request?.form, call.form, 'form');
    expectFields(row.request?.body, call.body, 'body');
    expectFields(row.response, call.response, 'response');
    for (const [name, wanted] of Object.entries(call.within ?? {}))
      expectFields(shapeOf(row.response)[name], wanted, name);
    if (call.isList)
      expect([
        row.response,
        ...(row.response instanceof z.ZodUnion ? row.response.options : []),
      ]).toContainEqual(expect.any(z.ZodArray));
  });
});
