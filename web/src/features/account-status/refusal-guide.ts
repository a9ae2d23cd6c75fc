import type { ErrorCode, errorCodes } from '@sluice/contract';

type RefusedCode = {
  [Code in ErrorCode]: (typeof errorCodes)[Code]['loggedAs'] extends 'refused' ? Code : never;
}[ErrorCode];

interface RefusalAdvice {
  /** Role or system that set the rule. */
  readonly decidedBy: string;
  readonly next: string;
}

const byProgram = 'the request itself';
const byAdministrator = 'your administrator';
const byOrganisation = 'a rule of your organisation';
const byGateway = 'this gateway';

/** Advice by refusal code: who decided and what to do. The request's own message says what happened. */
export const refusalGuide: Readonly<Record<RefusedCode, RefusalAdvice>> = {
  invalid_json: { decidedBy: byProgram, next: 'Correct the body where the message says, and send it again.' },
  invalid_request: {
    decidedBy: byProgram,
    next: 'Correct the field that the message names, and send it again.',
  },
  duplicate_field: { decidedBy: byProgram, next: 'Send the field once, in its usual spelling.' },
  request_timeout: { decidedBy: byProgram, next: 'Check the connection of your program, and send it again.' },
  body_too_large: { decidedBy: byGateway, next: 'Send less at once, such as fewer or smaller files.' },
  unsupported_media_type: { decidedBy: byProgram, next: 'Send the body as plain JSON, without compression.' },
  insufficient_credits: {
    decidedBy: 'the balance of your organisation',
    next: 'Ask your administrator to add credits, or use a model that they do not pay for.',
  },
  tenant_suspended: {
    decidedBy: 'the operator of this gateway',
    next: 'Ask your administrator: requests go on once the bill is paid.',
  },
  account_blocked: {
    decidedBy: byAdministrator,
    next: 'The reason stands at the top of the dashboard, where you can appeal. It lasts until an administrator ends it.',
  },
  access_withdrawn: {
    decidedBy: byAdministrator,
    next: 'The key or the account was shut while the request ran. Ask your administrator why.',
  },
  scope_missing: {
    decidedBy: byAdministrator,
    next: 'The API Keys page lists what your key may do. Ask your administrator for a key with more.',
  },
  model_blacklisted: {
    decidedBy: byAdministrator,
    next: 'It counts for everybody. Use another model: the API Keys page lists yours.',
  },
  model_not_found: {
    decidedBy: byAdministrator,
    next: 'Use one of the models that the API Keys page lists, or ask your administrator for this one.',
  },
  model_not_trusted: {
    decidedBy: byOrganisation,
    next: 'Say more clearly what you want, or ask your administrator which models take such prompts.',
  },
  task_required: {
    decidedBy: byOrganisation,
    next: 'Name one of your tasks by the header X-Task-Id; if you have none, ask your administrator for one.',
  },
  task_not_found: { decidedBy: byOrganisation, next: 'Name one of the tasks that My Tasks shows as active.' },
  policy_blocked: {
    decidedBy: byOrganisation,
    next: 'Keep to your task: work on it lowers your deviation score, and so does time.',
  },
  requests_per_hour_exceeded: {
    decidedBy: byAdministrator,
    next: 'Wait for the next hour, or ask for more requests: Limits says when it begins.',
  },
  tokens_per_day_exceeded: {
    decidedBy: byAdministrator,
    next: 'Wait for the next day, or ask for more tokens: Limits says when it begins. A shorter request may still fit.',
  },
  tokens_per_month_exceeded: {
    decidedBy: byAdministrator,
    next: 'Wait for the next month, or ask for more tokens: Limits says when it begins. A shorter request may still fit.',
  },
  task_tokens_exceeded: {
    decidedBy: byAdministrator,
    next: 'Ask for more tokens for this task; they do not come back by themselves. A shorter answer may still fit.',
  },
  too_many_at_once: { decidedBy: byGateway, next: 'Let one of your requests end, and send it again.' },
  body_budget_exceeded: { decidedBy: byGateway, next: 'Let one of your requests end, and send it again.' },
  request_loop: { decidedBy: byGateway, next: 'Tell your administrator: a provider leads back to this gateway.' },
};

/** Returns `undefined` for a code that is not a refusal. */
export const adviceOn = (code: string | null): RefusalAdvice | undefined =>
  code !== null && isRefused(code) ? refusalGuide[code] : undefined;

const isRefused = (code: string): code is RefusedCode => Object.hasOwn(refusalGuide, code);
