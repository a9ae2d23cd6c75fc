import type { ErrorCode } from '@sluice/contract';

export interface ErrorMeaning {
  /** OpenAI's codes, which the gateway also uses internally. The first one is sent for errors of other vendors. */
  readonly openai: readonly [string, ...string[]];
  /** Codes, types and reasons of other vendors, in lower case. */
  readonly codes: readonly string[];
  readonly words: RegExp | null;
  /** Less specific codes, types and statuses. Messages that match another meaning take precedence. */
  readonly kinds: readonly string[];
  readonly code: ErrorCode;
  /** Status of the error, regardless of the provider's status. */
  readonly status: number;
  /** Anthropic's error type and Google's error status; `null` for problems with the gateway's own account. */
  readonly caller: { readonly anthropic: string; readonly google: string } | null;
}

/** Error meanings, most specific first. The first match is used. */
export const errorMeanings = {
  contextOverflow: {
    openai: ['context_length_exceeded'],
    codes: [
      'exceed_context_size_error',
      'model_context_window_exceeded',
      'prompt_too_long',
      'too_many_tokens',
    ],
    words:
      /(prompt|input|request) (is )?too long|context (length|limit|size|window)|too many (input )?tokens(?!, please wait)(?! per )|max(imum)?( allowed)? (context|input|model|prompt|sequence) length|maximum number of (input )?tokens|(input|prompt) token count.{0,80}exceeds|exceeded model token limit|reduce the length of (the|your) (input|messages|prompt)|(input|prompt) exceeds (the )?max|range of input length|`inputs` (must have less than|tokens \+)|tokens in request more than max/i,
    kinds: [],
    code: 'provider_rejected',
    status: 400,
    caller: { anthropic: 'invalid_request_error', google: 'INVALID_ARGUMENT' },
  },
  noCredit: {
    openai: ['insufficient_quota', 'billing_hard_limit_reached'],
    codes: ['billing_error', 'insufficient_balance', 'payment_required'],
    // Includes the monthly limit of Cohere's trial keys, which does not reset before a retry, unlike a per-minute
    // limit.
    words:
      /credit balance is too low|calls \/ month|payment method|credits are depleted|billing account .{0,80}(closed|disabled)|insufficient (balance|credits|funds)/i,
    kinds: ['402'],
    code: 'provider_out_of_credit',
    status: 402,
    caller: null,
  },
  contentPolicy: {
    openai: [
      'content_policy_violation',
      'content_filter',
      'image_content_policy_violation',
      'invalid_prompt',
      'moderation_blocked',
    ],
    codes: [
      'content_blocked',
      'data_inspection_failed',
      'prohibited_content',
      'responsibleaipolicyviolation',
    ],
    words:
      /content (filter|management policy|policy|safety)|content.?filter(ed|ing)|usage (guidelines|polic(y|ies))|content exists risk|flagged (as|by|for)|requires moderation|prohibited content|inappropriate content|blocked (by|due to|for) .{0,40}(content|policy|safety)/i,
    kinds: [],
    code: 'provider_rejected',
    status: 400,
    caller: { anthropic: 'invalid_request_error', google: 'INVALID_ARGUMENT' },
  },
  invalidImage: {
    openai: [
      'invalid_image',
      'empty_image_file',
      'failed_to_download_image',
      'image_file_not_found',
      'image_file_too_large',
      'image_parse_error',
      'image_too_large',
      'image_too_small',
      'invalid_base64_image',
      'invalid_image_format',
      'invalid_image_mode',
      'invalid_image_url',
      'unsupported_image_media_type',
    ],
    codes: ['unsupported_image', 'url_invalid_image'],
    words:
      /could not process image|process input image|(corrupted|invalid|provided|unsupported) image\b|image (data|dimensions|exceeds|format|is (invalid|not|too)|size|could not)|image\.source|(decode|decoding|download|identify|load|loading|open|parse|read) (the |an )?image|a valid image|illegal base64|mime type: image\//i,
    kinds: [],
    code: 'provider_rejected',
    status: 400,
    caller: { anthropic: 'invalid_request_error', google: 'INVALID_ARGUMENT' },
  },
  unknownModel: {
    openai: ['model_not_found'],
    codes: [
      'deploymentnotfound',
      'invalid_model',
      'model_not_available',
      'model_not_supported',
      'unknown_model',
    ],
    words:
      /\bmodels?\b.{0,120}?(not found|(do|does) not exist|not exist)|(invalid|no such|unknown) model\b|not a valid model|no endpoints found|deployment .{0,80}does not exist|unable to access model|^model: /i,
    kinds: ['404', 'not_found', 'not_found_error', 'notfounderror'],
    code: 'provider_rejected',
    status: 404,
    caller: { anthropic: 'not_found_error', google: 'NOT_FOUND' },
  },
  invalidKey: {
    openai: ['invalid_api_key'],
    codes: ['authentication_error', 'unauthenticated'],
    words: /^(incorrect|invalid|no) api (key|token)|^api key (not valid|expired|not found)|^unauthorized/i,
    kinds: ['401', '403', 'permission_denied', 'permission_error'],
    code: 'provider_auth_failed',
    status: 401,
    caller: null,
  },
  rateLimit: {
    openai: ['rate_limit_exceeded'],
    codes: ['rate_limit_error', 'ratelimitreached', 'too_many_requests'],
    words:
      /rate.?limit|too many requests|tokens, please wait|limited to \d+ .{0,30}\/ minute|exceeded your current quota/i,
    kinds: ['429', 'resource_exhausted'],
    code: 'rate_limited',
    status: 429,
    caller: { anthropic: 'rate_limit_error', google: 'RESOURCE_EXHAUSTED' },
  },
  overload: {
    openai: ['server_is_overloaded', 'slow_down'],
    codes: ['engine_overloaded', 'overloaded', 'overloaded_error'],
    words: /\boverloaded\b|server busy|(at|exceeded|over) capacity|high (demand|load|traffic)/i,
    kinds: ['503', '529', 'insufficient_system_resource', 'service_unavailable', 'unavailable'],
    code: 'upstream_overloaded',
    status: 503,
    caller: { anthropic: 'overloaded_error', google: 'UNAVAILABLE' },
  },
} as const satisfies Readonly<Record<string, ErrorMeaning>>;

const meanings: readonly ErrorMeaning[] = Object.values(errorMeanings);
const byCode = indexNames(({ openai, codes }) => [...openai, ...codes]);
const byKind = indexNames(({ kinds }) => kinds);
const byOpenaiCode = indexNames(({ openai }) => openai);

function indexNames(
  namesOf: (meaning: ErrorMeaning) => readonly string[],
): ReadonlyMap<string, ErrorMeaning> {
  return new Map(meanings.flatMap((meaning) => namesOf(meaning).map((name) => [name, meaning] as const)));
}

/**
 * Returns OpenAI's code for a provider's error, from the error's codes, types and statuses and its message; `null` if
 * the error has no common meaning.
 */
export function findCommonCode(named: readonly unknown[], message: string): string | null {
  const names = named.flatMap((name) => (name == null ? [] : [String(name).toLowerCase()]));
  const own = names.find((name) => byOpenaiCode.has(name));
  if (own !== undefined) return own;
  const found =
    findBy(byCode, names) ?? meanings.find(({ words }) => words?.test(message)) ?? findBy(byKind, names);
  return found?.openai[0] ?? null;
}

function findBy(
  index: ReadonlyMap<string, ErrorMeaning>,
  names: readonly string[],
): ErrorMeaning | undefined {
  const name = names.find((candidate) => index.has(candidate));
  return name === undefined ? undefined : index.get(name);
}

export function findMeaning(code: string | null): ErrorMeaning | null {
  return code === null ? null : (byOpenaiCode.get(code) ?? null);
}
