import { describe, expect, it } from 'vitest';
import { measureCpuMs } from '#test/processes/cpu-time.ts';
import { redactJson } from './redact-json.ts';
import { redactText } from './redact-text.ts';

/** Concatenated, so that secret scanners do not report this file. */
const stripeKey = ['sk', 'live', '51HxQ9aLzK8vT2mN4bC6dE7f'].join('_');
const openAiKey = `sk-${'proj-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8'}`;
const gitHubToken = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
const jsonWebToken = `${'eyJhbGciOiJIUzI1NiJ9'}.${'eyJzdWIiOiIxMjM0In0'}.${'c2lnbmF0dXJlX29mX2l0'}`;
const privateKey = `-----BEGIN ${'RSA PRIVATE'} KEY-----\nMIIEow\nIBAAKC\n-----END ${'RSA PRIVATE'} KEY-----`;

describe('redactText', () => {
  it.each([
    ['Write to jane.doe+work@mail.example.co.uk now', 'Write to [email] now'],
    ['An jürgen.müller@bücher.example,', 'An [email],'],
    [`My key is ${openAiKey}.`, 'My key is [api-key]'],
    [`STRIPE=${stripeKey}`, 'STRIPE=[api-key]'],
    [`git clone https://x:${gitHubToken}@github.com/a/b`, 'git clone https://[password]@github.com/a/b'],
    [`curl -H "Authorization: Bearer abcDEF123456789"`, 'curl -H "Authorization: Bearer [token]"'],
    [`cookie ${jsonWebToken}`, 'cookie [token]'],
    [`this: ${privateKey} ok`, 'this: [private-key] ok'],
    [`cut: -----BEGIN ${'PRIVATE'} KEY-----\nMIIEow\nIBAAKC`, 'cut: [private-key]'],
    ['password = hunter2', 'password = [password]'],
    ['DB_PASSWORD: "correct horse battery"', 'DB_PASSWORD: "[password]"'],
    ['{"api_key": "abc-def"}', '{"api_key": "[secret]"}'],
    ['{\\"password\\": \\"abc def\\"}', '{\\"password\\": \\"[password]\\"}'],
    ['clientSecret: s3cr3t-value;', 'clientSecret: [secret];'],
    ['my password is tr0ub4dor', 'my password is [password]'],
    ['postgres://app:s3cret@db.internal/main', 'postgres://[password]@db.internal/main'],
    ['card 4111 1111 1111 1111, exp 12/27', 'card [card], exp 12/27'],
    ['card 5500-0000-0000-0004.', 'card [card].'],
    ['order 123 378282246310005 paid', 'order 123 [card] paid'],
    ['IBAN DE89 3704 0044 0532 0130 00 please', 'IBAN [iban] please'],
    ['gb82west12345698765432', '[iban]'],
    ['call +49 30 901820 today', 'call [phone] today'],
    ['call (415) 555-2671', 'call [phone]'],
    ['call 415-555-2671', 'call [phone]'],
    ['Tel. 030 901 82 00', 'Tel. [phone]'],
    ['0044 20 7946 0958', '[phone]'],
  ])('redactText replaces %s', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
    expect(redactText(redacted)).toBe(redacted);
  });

  it.each([
    'Explain password: string and token = readToken() to me',
    'The password is required, and max_tokens: 4096 is the limit',
    'On 2026-01-15 at 14:30 we sold 1234567 units for 99.95, that is 0.1234567 each',
    'The sum of 4111 1111 1111 1112 and 1 is no card',
    'from sk-learn-pipelines import nothing',
    'It takes basic understanding and a bearer certificate',
    'user@localhost and @decorator(name) stay, so does a@b',
    'id 01920522-1169-7456-9123-123456789012 and 01920522-1169-7456-a123-1234567890ab',
    'id 550e8400-e29b-41d4-a716-446655440000 of version 10.12.2026.1',
  ])('redactText keeps text without personal data: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe('redactJson', () => {
  it.each([
    [{ messages: [{ role: 'user', content: 'I am jane@example.com\nbye' }] }, 'jane'],
    [{ tools: [{ arguments: JSON.stringify({ password: 'correct horse' }) }] }, 'horse'],
    [{ password: 'correct horse', n: 1 }, 'horse'],
    [{ note: `the key:\n${privateKey}` }, 'MIIEow'],
    [{ card: 4111111111111111 }, '4111111111111111'],
  ])('redactJson removes secrets from a complete or truncated body: %j', (body, secret) => {
    const text = JSON.stringify(body);
    expect(redactJson(text)).not.toContain(secret);
    for (let end = text.indexOf(secret) + secret.length + 14; end < text.length; end++)
      expect(redactJson(text.slice(0, end))).not.toContain(secret);
  });

  it('redactJson redacts an email address written with Unicode escapes', () => {
    const escaped = '{"content":"I am \\u006aane\\u0040example.com\\nbye"}';
    expect(redactJson(escaped)).toBe('{"content":"I am [email]\\nbye"}');
  });

  it('redactJson keeps bodies without secrets unchanged and returns valid JSON otherwise', () => {
    const text = '{"model":"gpt","max_tokens": 500,"messages":[{"content":"caf\\u00e9 \\"x\\""}]}';
    expect(redactJson(text)).toBe(text);
    expect(JSON.parse(redactJson('{"password":"x1y2","n":1}'))).toEqual({ password: '[secret]', n: 1 });
  });
});

describe('redaction of adversarial texts', () => {
  const bytes = 64 * 1024;
  it.each([
    'a',
    '1',
    '4 ',
    '411 ',
    '411-',
    '+1',
    '(1',
    '0 ',
    'a@',
    'a@a.',
    '.',
    '-----BEGIN ',
    `-----BEGIN ${'PRIVATE'} KEY-----`,
    'eyJ',
    'eyJaaaaaaaa.',
    '-eyJ-',
    'sk-',
    'sk-a.',
    'password',
    'password="',
    'token=',
    'token is ',
    '://',
    '://a:',
    'bearer ',
    'bearer aaaaaaaaa ',
    'DE89 ',
    'DE89',
    '"',
    '\\',
    '"a',
    '"\\u00',
    '\u0000',
  ])('redaction of 64 KiB of repeated %j takes less than 50 ms of CPU time', (piece) => {
    const text = piece.repeat(bytes / piece.length);
    const body = JSON.stringify({ text });
    // Redaction must not block the event loop for 50 ms.
    for (const redact of [() => redactText(text), () => redactJson(text), () => redactJson(body)]) {
      // Use the fastest of several runs, because compilation and garbage collection slow down others.
      const runsMs = Array.from({ length: 5 }, () => measureCpuMs(redact));
      expect(Math.min(...runsMs)).toBeLessThan(50);
    }
  });
});
