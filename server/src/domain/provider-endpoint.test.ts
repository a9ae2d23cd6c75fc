import { describe, expect, it } from 'vitest';
import { addPath, type EndpointForm, normalizeEndpoint } from './provider-endpoint.ts';

const openai = 'https://api.openai.com/v1';
const normalise = (given: string, form: EndpointForm, defaultEndpoint: string | null = null) =>
  normalizeEndpoint(new URL(given), form, defaultEndpoint);

const cases: [form: EndpointForm, given: string, stored: string, defaultEndpoint?: string][] = [
  ['versioned', 'https://api.openai.com/v1', 'https://api.openai.com/v1', openai],
  ['versioned', 'https://api.openai.com/v1//', 'https://api.openai.com/v1', openai],
  ['versioned', 'https://api.openai.com', 'https://api.openai.com/v1', openai],
  ['versioned', 'https://api.groq.com', 'https://api.groq.com/openai/v1', 'https://api.groq.com/openai/v1'],
  ['versioned', 'https://proxy.test/', 'https://proxy.test', 'https://api.deepseek.com'],
  ['versioned', 'https://api.deepseek.com/v1', 'https://api.deepseek.com/v1', 'https://api.deepseek.com'],
  ['versioned', 'https://gate.test/x/v1/chat/completions/', 'https://gate.test/x/v1'],
  ['versioned', 'https://gate.test/v1/responses', 'https://gate.test/v1'],
  ['versioned', 'https://gate.test/v1/embeddings', 'https://gate.test/v1'],
  ['versioned', 'http://localhost:8000', 'http://localhost:8000/v1'],
  ['versioned', 'http://localhost:8000/chat/completions', 'http://localhost:8000/v1'],
  ['versioned', 'https://gate.test/chat/completions-x', 'https://gate.test/chat/completions-x'],
  ['bare', 'https://api.anthropic.com', 'https://api.anthropic.com'],
  ['bare', 'https://api.anthropic.com/v1', 'https://api.anthropic.com'],
  ['bare', 'https://api.anthropic.com/v1/messages', 'https://api.anthropic.com'],
  ['bare', 'https://api.anthropic.com/v1/messages/count_tokens', 'https://api.anthropic.com'],
  ['bare', 'https://proxy.test/anthropic/v1/', 'https://proxy.test/anthropic'],
  ['bare', 'https://sluice.test/api', 'https://sluice.test/api'],
  ['bare', 'https://generativelanguage.googleapis.com/v1beta/', 'https://generativelanguage.googleapis.com'],
  [
    'bare',
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-pro:generateContent',
    'https://generativelanguage.googleapis.com',
  ],
  [
    'bare',
    'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
    'https://generativelanguage.googleapis.com',
  ],
  ['bare', 'https://api.cohere.com/v2/chat', 'https://api.cohere.com'],
  ['bare', 'https://api.cohere.ai/compatibility/v1', 'https://api.cohere.ai'],
  ['bare', 'https://proxy.test/v1/tenants/7/anthropic', 'https://proxy.test/v1/tenants/7/anthropic'],
  ['ollama', 'http://localhost:11434/', 'http://localhost:11434'],
  ['ollama', 'http://localhost:11434/api', 'http://localhost:11434'],
  ['ollama', 'http://localhost:11434/api/chat', 'http://localhost:11434'],
  ['ollama', 'http://localhost:11434/v1', 'http://localhost:11434'],
  ['ollama', 'http://localhost:11434/v1/chat/completions', 'http://localhost:11434'],
  ['azure', 'https://r.openai.azure.com', 'https://r.openai.azure.com/openai/v1'],
  ['azure', 'https://r.openai.azure.com/openai/', 'https://r.openai.azure.com/openai/v1'],
  ['azure', 'https://r.openai.azure.com/openai/v1', 'https://r.openai.azure.com/openai/v1'],
  ['azure', 'https://r.openai.azure.com/openai/v1/models', 'https://r.openai.azure.com/openai/v1'],
  [
    'azure',
    'https://r.services.ai.azure.com/openai/v1/responses',
    'https://r.services.ai.azure.com/openai/v1',
  ],
  ['azure', 'https://apim.test/llm/openai', 'https://apim.test/llm/openai/v1'],
  [
    'azure',
    'https://r.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-12-01-preview',
    'https://r.openai.azure.com/openai/deployments?api-version=2024-12-01-preview',
  ],
  [
    'azure',
    'https://r.openai.azure.com/openai/deployments/',
    'https://r.openai.azure.com/openai/deployments?api-version=2024-10-21',
  ],
  [
    'azure',
    'https://r.services.ai.azure.com/models',
    'https://r.services.ai.azure.com/models?api-version=2024-05-01-preview',
  ],
  [
    'azure',
    'https://r.services.ai.azure.com/models/chat/completions?api-version=2025-01-01',
    'https://r.services.ai.azure.com/models?api-version=2025-01-01',
  ],
];

describe('normalizeEndpoint', () => {
  it.each(cases)(
    'normalizeEndpoint for the form %s stores %s as %s',
    (form, given, stored, defaultEndpoint) => {
      expect(normalise(given, form, defaultEndpoint)).toBe(stored);
    },
  );

  it.each(cases)('normalizeEndpoint for the form %s is idempotent for %s', (form, _, stored, own) => {
    expect(normalise(stored, form, own)).toBe(stored);
  });
});

describe('addPath', () => {
  it.each([
    ['https://api.test/v1', '/models', 'https://api.test/v1/models'],
    ['https://api.test', '/v1/x?alt=sse', 'https://api.test/v1/x?alt=sse'],
    ['https://r.test/models?api-version=1', '/chat', 'https://r.test/models/chat?api-version=1'],
    ['https://r.test/models?api-version=1', '/chat?a=b', 'https://r.test/models/chat?a=b&api-version=1'],
    ['https://r.test/openai/deployments?v=1', '/../models', 'https://r.test/openai/models?v=1'],
  ])('addPath for %s and %s returns %s', (endpoint, path, address) => {
    expect(addPath(endpoint, () => path)?.href).toBe(address);
  });

  it('addPath passes the endpoint without its query to the callback, and returns null if the callback does', () => {
    const roots: string[] = [];
    const nowhere = addPath('https://r.test/models?v=1', (root) => {
      roots.push(root);
      return null;
    });
    expect([nowhere, roots]).toEqual([null, ['https://r.test/models']]);
  });
});
