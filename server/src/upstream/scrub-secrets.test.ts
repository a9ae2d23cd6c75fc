import { expect, test } from 'vitest';
import { scrubSecrets } from './scrub-secrets.ts';

const hex = '0123456789abcdef0123456789abcdef';
const base64 = 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgbWFueSBieXRlcyA0Mg==';

test.each([
  ['Incorrect API key provided: sk-proj-abc123DEF456.', 'sk-proj'],
  ['Incorrect API key provided: sk-ab****************wxyz. You can', 'wxyz'],
  ['Incorrect API key provided: test-con****-key.', 'test-con'],
  ['API key: hunter2 is wrong', 'hunter2'],
  ['key sk-ant-api03-Zz_yY-1234 is revoked', 'api03'],
  ['slc_0123456789abcdefghijABCDEFGHIJ123456', '0123456789'],
  ['bad key AIzaSyA-1234567890abcdefghijklmnopqrstu', 'SyA'],
  ['gsk_abcdefgh12345678', 'abcdefgh'],
  ['hf_abcdefghijklmnop', 'abcdefgh'],
  ['xai-abcdefghijklmnopqrstuvwx', 'abcdefgh'],
  ['pplx-abcdefghijklmnopqrstuvwx', 'abcdefgh'],
  ['nvapi-abcdefghijklmnop', 'abcdefgh'],
  ['AKIAIOSFODNN7EXAMPLE', 'IOSFODNN'],
  ['token ya29.a0AfH6SMBx-abc', 'a0AfH6'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'eyJzdWIi'],
  ['authorization: Bearer short', 'short'],
  ['{"authorization":"Basic dXNlcjpwYXNz"}', 'dXNlcjpwYXNz'],
  ['{\\"x-api-key\\":\\"plain-key\\"}', 'plain-key'],
  ["headers: {'x-goog-api-key': 'plain-key'}", 'plain-key'],
  ['password=hunter2&user=a', 'hunter2'],
  ['access_token: abc', 'abc'],
  ['POST https://example.com/v1/models/m?key=hunter2&alt=sse failed', 'hunter2'],
  ['POST /v1beta/models/m:generateContent?key=hunter2 failed', 'hunter2'],
  ['connect https://user:hunter2@example.com/v1', 'hunter2'],
  ['in organization org-AbCdEfGh12345678 on tokens', 'AbCdEfGh'],
  [`digest ${hex}`, hex],
  [`digest ${hex.toUpperCase()}`, hex.toUpperCase()],
  [`value ${base64}`, base64.slice(0, 20)],
  [`data:image/png;base64,${base64}`, base64.slice(0, 20)],
])('scrubSecrets masks the secret in %s', (text, secret) => {
  const scrubbed = scrubSecrets(text);
  expect(scrubbed).toContain('[redacted]');
  expect(scrubbed).not.toContain(secret);
});

test.each([
  'The model `gpt-4o-mini` does not exist or you do not have access to it.',
  'model accounts/fireworks/models/llama-v3p1-405b-instruct not found',
  'Please include the request ID req_011CdYfpjpVtBoXyXCQD1tQP in your message.',
  'prompt too long (ref: 96164522-08b2-4cbf-886e-e5a38961a688)',
  '{"error":{"message":"Rate limit reached","type":"tokens","param":null,"code":"rate_limit_exceeded"}}',
  '{"usage":{"prompt_tokens":12,"total_tokens":20}}',
  'You can find your API key at https://platform.openai.com/account/api-keys.',
  'Is the task-force model ready? Ask the risk-desk.',
  'Invalid schema for function: additionalProperties_must_be_false_in_strict_mode',
])('scrubSecrets leaves %s unchanged', (text) => {
  expect(scrubSecrets(text)).toBe(text);
});

test('scrubSecrets masks a known secret of any form, anywhere in the text', () => {
  const text = 'no such key: my key!, my key! (my key!x)';
  expect(scrubSecrets(text, ['my key!'])).toBe('no such key: [redacted], [redacted] ([redacted]x)');
});

test.each(['a', 'a-', '*', 'eyJ', '-eyJ', 'eyJ.', 'sk-', 'http://', '?a', 'secret ', 'bearer ', 'aA1/'])(
  'scrubSecrets takes less than 2 s for 200,000 characters of %j',
  (piece) => {
    const startMs = performance.now();
    scrubSecrets(piece.repeat(Math.ceil(200_000 / piece.length)));
    expect(performance.now() - startMs).toBeLessThan(2000);
  },
);
