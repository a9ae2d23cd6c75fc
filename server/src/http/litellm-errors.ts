import { litellmRoutes, pathOf, type RouteRow } from '@sluice/contract';
import type { ErrorFormat } from './answer-console-error.ts';

const paths: ReadonlySet<string> = new Set(Object.values<RouteRow>(litellmRoutes).map(pathOf));

/** Whether a URL is that of a call of LiteLLM, below `/` or `/v1`. */
export const isLitellmUrl = (url: string): boolean =>
  paths.has(
    url
      .replace(/[?#].*$/s, '')
      .replace(/^\/v1(?=\/)/, '')
      .replace(/\/$/, ''),
  );

const types: Readonly<Record<number, string>> = {
  401: 'auth_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** Errors as LiteLLM's proxy sends them, `{error: {message, type, param, code}}`, with the console's `detail`. */
export const litellmErrorFormat: ErrorFormat = {
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
