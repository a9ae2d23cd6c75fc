import { toOAuthError } from '#errors/oauth-error.ts';
import type { ErrorFormat } from './answer-console-error.ts';

/** Characters that RFC 6749, 5.2, allows in a description: printable ASCII without quotation marks and backslashes. */
const forbidden = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

/** Errors as RFC 6749, 5.2, describes them. */
export const oauthErrorFormat: ErrorFormat = {
  mediaType: 'application/json; charset=utf-8',
  convert: toOAuthError,
  describe(refusal) {
    const { code, message } = toOAuthError(refusal);
    return { error: code, error_description: message.replace(forbidden, "'") };
  },
};

/** Whether a URL is that of an OAuth endpoint, whose clients expect its error format. */
export const isOAuthUrl = (url: string) => /^\/oauth(?:[/?#]|$)/.test(url);
