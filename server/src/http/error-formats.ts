import { litellmRoutes, pathsOf, type RouteRow } from '@sluice/contract';
import { toOAuthError } from '#errors/oauth-error.ts';
import type { ErrorFormat } from './answer-console-error.ts';
import { isScimUrl, scimErrorFormat } from './register-scim-routes.ts';

const litellmPaths: ReadonlySet<string> = new Set(Object.values<RouteRow>(litellmRoutes).flatMap(pathsOf));

const isLitellmUrl = (url: string) => litellmPaths.has(url.replace(/\/?(?:[?#].*)?$/s, ''));

const types: Readonly<Record<number, string>> = {
  401: 'auth_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** LiteLLM's error format, `{error: {message, type, param, code}}`, with the console's `detail`. */
const litellmErrorFormat: ErrorFormat = {
  mediaType: 'application/json; charset=utf-8',
  convert: (refusal) => refusal,
  describe({ detail, message, status }) {
    const field = typeof detail === 'string' ? null : (detail[0]?.loc.at(-1) ?? null);
    const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'internal_server_error');
    return {
      error: { message, type, param: field === null ? null : String(field), code: String(status) },
      detail,
    };
  },
};

/**
 * Matches characters that RFC 6749, 5.2, does not allow in a description: all except printable ASCII, and quotation
 * marks and backslashes.
 */
const forbidden = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

/** Error format of the OAuth endpoints (RFC 6749, 5.2). */
const oauthErrorFormat: ErrorFormat = {
  mediaType: 'application/json; charset=utf-8',
  convert: toOAuthError,
  describe(refusal) {
    const { code, message } = toOAuthError(refusal);
    return { error: code, error_description: message.replace(forbidden, "'") };
  },
};

const isOAuthUrl = (url: string) => /^\/oauth(?:[/?#]|$)/.test(url);

export function findErrorFormat(url: string): ErrorFormat | null {
  if (isScimUrl(url)) return scimErrorFormat;
  if (isOAuthUrl(url)) return oauthErrorFormat;
  return isLitellmUrl(url) ? litellmErrorFormat : null;
}
