import type { LlmProvider } from '@sluice/contract';
import { expect, it } from 'vitest';
import { moveTo, sortByFallbackOrder } from './fallback-order-dialog.tsx';

const provider = (id: number, fields: Partial<LlmProvider> = {}): LlmProvider => ({
  id,
  provider_registry_id: 1,
  provider_key: 'openai',
  provider_instance_name: `provider ${id}`,
  api_endpoint: null,
  has_api_key: true,
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
  created_at: `2026-11-0${id}T09:00:00.000Z`,
  ...fields,
});
const idsOf = (order: readonly LlmProvider[] | null) => order?.map(({ id }) => id) ?? null;

it('sortByFallbackOrder sorts default instances first, then instances with a position, then other instances by age', () => {
  const providers = [
    provider(5),
    provider(1),
    provider(2, { fallback_position: 2 }),
    provider(3, { fallback_position: 1 }),
    provider(4, { fallback_position: 9, is_default: true }),
  ];
  expect(idsOf(sortByFallbackOrder(providers))).toEqual([4, 3, 2, 1, 5]);
});

it('moveTo moves an instance up and down, but not past default instances', () => {
  const order = [provider(1, { is_default: true }), provider(2), provider(3), provider(4)];
  expect(idsOf(moveTo(order, 1, 3))).toEqual([1, 3, 4, 2]);
  expect(idsOf(moveTo(order, 3, 1))).toEqual([1, 4, 2, 3]);
  for (const [from, to] of [
    [1, 0],
    [0, 1],
    [2, 2],
    [3, 4],
    [0, -1],
  ] as const)
    expect(moveTo(order, from, to)).toBeNull();
});
