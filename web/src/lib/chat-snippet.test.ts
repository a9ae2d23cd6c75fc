import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import type { LlmProvider } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { chatSnippet, pickModel, snippetLanguages, snippetSdks } from './chat-snippet.ts';

const provider = (fields: Partial<LlmProvider>): LlmProvider => ({
  id: 1,
  provider_registry_id: 1,
  provider_key: 'sandbox',
  provider_instance_name: 'sandbox',
  api_endpoint: null,
  has_api_key: false,
  enabled_models: [],
  available_models: [],
  default_model: null,
  model_aliases: {},
  is_default: false,
  is_active: true,
  is_service_managed: false,
  maintenance: null,
  fallback_position: null,
  connect_timeout_ms: null,
  first_byte_timeout_ms: null,
  idle_timeout_ms: null,
  total_timeout_ms: null,
  stream_total_timeout_ms: null,
  key_overlap: null,
  created_at: '2026-11-20T10:00:00Z',
  ...fields,
});

describe('the snippet', () => {
  it('chatSnippet for curl sends the displayed request, even for a model name with quotes', () => {
    const snippet = chatSnippet('curl', 'http://localhost:8080', "it's");
    const echoed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${snippet}`], {
      env: { SLUICE_API_KEY: 'slc_test' },
      encoding: 'utf8',
    });
    const values = echoed.split('\0').slice(0, -1);
    expect(values.slice(0, -1)).toEqual([
      'http://localhost:8080/api/v1/chat/completions',
      '-H',
      'Authorization: Bearer slc_test',
      '-H',
      'Content-Type: application/json',
      '-d',
    ]);
    const messages = [{ role: 'user', content: 'Hello' }];
    expect(JSON.parse(values.at(-1) ?? '')).toEqual({ model: "it's", messages });
  });
});

const kinds = snippetSdks.flatMap((sdk) => snippetLanguages.map((language) => ({ sdk, language })));

describe.each(kinds)('$language with the client $sdk', ({ sdk, language }) => {
  const written = chatSnippet(language, 'https://gate.test', 'm-1', { sdk, taskId: 7 });

  it(`chatSnippet for ${sdk} in ${language} contains URL, model, task and key variable, and no key`, () => {
    expect(written).toContain('https://gate.test/api');
    expect(written).toContain('m-1');
    expect(written).toMatch(/X-Task-Id["']?: ["']?7/);
    expect(written).toContain('SLUICE_API_KEY');
    expect(written).not.toContain('slc_');
  });

  it.skipIf(language === 'Python')(`chatSnippet for ${sdk} in ${language} parses`, () => {
    if (language === 'curl') execFileSync('sh', ['-n', '-c', written]);
    if (language === 'TypeScript') stripTypeScriptTypes(written);
  });
});

describe('the model of the snippet', () => {
  it('pickModel prefers the default instance among active instances', () => {
    const other = provider({ enabled_models: ['other'] });
    const standard = provider({ is_default: true, enabled_models: ['first', 'own'], default_model: 'own' });
    const inactive = provider({ is_active: false, is_default: true, enabled_models: ['off'] });
    expect(pickModel([other, inactive, standard])).toBe('own');
    expect(pickModel([inactive, other])).toBe('other');
    expect(pickModel([inactive])).toBeUndefined();
  });

  it('pickModel prefers a provider of the tenant to the sandbox', () => {
    const sandbox = provider({
      provider_key: 'sandbox',
      is_default: true,
      enabled_models: ['sandbox-normal'],
    });
    const own = provider({ provider_key: 'custom', enabled_models: ['own'] });
    expect(pickModel([sandbox, own])).toBe('own');
    expect(pickModel([sandbox])).toBe('sandbox-normal');
  });
});
