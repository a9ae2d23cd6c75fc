import type { RefusedCode } from '@sluice/contract';

interface RefusalAdvice {
  /** Role or system that set the rule. */
  readonly decidedBy: string;
  readonly next: string;
}

const byProgram = 'the request itself';
const byAdministrator = 'your administrator';
const byOrganization = 'a rule of your organization';
const byGateway = 'this gateway';

/** Basis of each rejection, and what the user can do. The error message states what happened. */
export const refusalGuide: Readonly<Record<RefusedCode, RefusalAdvice>> = {
  invalid_json: {
    decidedBy: byProgram,
    next: 'Correct the body at the position named in the message, then send the request again.',
  },
  invalid_request: {
    decidedBy: byProgram,
    next: 'Correct the field named in the message, then send the request again.',
  },
  duplicate_field: { decidedBy: byProgram, next: 'Send the field only once, with its documented name.' },
  request_timeout: {
    decidedBy: byProgram,
    next: 'Check the network connection of your client, then send the request again.',
  },
  body_too_large: {
    decidedBy: byGateway,
    next: 'Send a smaller request, for example with fewer or smaller files.',
  },
  unsupported_media_type: { decidedBy: byProgram, next: 'Send the body as plain JSON, without compression.' },
  insufficient_credits: {
    decidedBy: 'the balance of your organization',
    next: 'Ask your administrator to add credits, or use a model that is not paid from credits.',
  },
  tenant_suspended: {
    decidedBy: 'the operator of this gateway',
    next: 'Contact your administrator. Requests are accepted again once the bill is paid.',
  },
  account_blocked: {
    decidedBy: byAdministrator,
    next: 'The reason is shown at the top of the dashboard, where you can appeal. The block lasts until an administrator lifts it.',
  },
  access_withdrawn: {
    decidedBy: byAdministrator,
    next: 'The API key or the account was deactivated while the request was running. Ask your administrator for the reason.',
  },
  scope_missing: {
    decidedBy: byAdministrator,
    next: 'The API Keys page lists the scopes of your key. Ask your administrator for a key with more scopes.',
  },
  key_restricted: {
    decidedBy: byAdministrator,
    next: 'The API Keys page lists the networks and protocols of your keys. Use another key, or ask your administrator to change this one.',
  },
  model_blacklisted: {
    decidedBy: byAdministrator,
    next: 'The model is blocked for all users. Use one of the models on the API Keys page.',
  },
  model_not_found: {
    decidedBy: byAdministrator,
    next: 'Use one of the models on the API Keys page, or ask your administrator for access to this one.',
  },
  model_not_trusted: {
    decidedBy: byOrganization,
    next: 'Make the prompt more specific, or ask your administrator which models accept such prompts.',
  },
  task_required: {
    decidedBy: byOrganization,
    next: 'Set the header X-Task-Id to one of your tasks. If you have none, ask your administrator for one.',
  },
  task_not_found: { decidedBy: byOrganization, next: 'Use one of the active tasks in My Tasks.' },
  policy_blocked: {
    decidedBy: byOrganization,
    next: 'Send prompts for your task. They lower your deviation score, and it also falls over time.',
  },
  requests_per_hour_exceeded: {
    decidedBy: byAdministrator,
    next: 'Wait for the next hour, or ask for a higher limit. The Limits section shows when it resets.',
  },
  tokens_per_day_exceeded: {
    decidedBy: byAdministrator,
    next: 'Wait for the next day, or ask for a higher limit. The Limits section shows when it resets. A shorter request may still fit.',
  },
  tokens_per_month_exceeded: {
    decidedBy: byAdministrator,
    next: 'Wait for the next month, or ask for a higher limit. The Limits section shows when it resets. A shorter request may still fit.',
  },
  task_tokens_exceeded: {
    decidedBy: byAdministrator,
    next: 'Ask for a higher token limit for this task. It does not reset. A shorter answer may still fit.',
  },
  budget_exceeded: {
    decidedBy: byAdministrator,
    next: 'Wait until the budget resets, or ask your administrator to raise it. A shorter request may still fit.',
  },
  model_unpriced: {
    decidedBy: byOrganization,
    next: 'Use another model, or ask your administrator to set a price for this one.',
  },
  too_many_at_once: {
    decidedBy: byGateway,
    next: 'Wait until one of the requests in flight has finished, then send yours again.',
  },
  body_budget_exceeded: {
    decidedBy: byGateway,
    next: 'Wait until one of your other requests has finished, then send this one again.',
  },
  request_loop: {
    decidedBy: byGateway,
    next: 'Contact your administrator: the endpoint of a provider points back to this gateway.',
  },
};

/** Returns `undefined` for codes that are not refusals. */
export const adviceOn = (code: string | null): RefusalAdvice | undefined =>
  code !== null && isRefused(code) ? refusalGuide[code] : undefined;

const isRefused = (code: string): code is RefusedCode => Object.hasOwn(refusalGuide, code);
