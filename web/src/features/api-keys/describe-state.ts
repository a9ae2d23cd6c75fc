import type { ApiKeyStatus } from '@sluice/contract';
import type { StatusKind } from '../../components/ui/status-mark.tsx';

const states = {
  revoked: { word: 'Revoked', kind: 'bad' },
  expired: { word: 'Expired', kind: 'warn' },
  active: { word: 'Active', kind: 'ok' },
} as const satisfies Record<string, { word: string; kind: StatusKind }>;

/** Returns the badge of a key. Revoked takes precedence over expired. */
export function describeKeyState({ is_active, is_expired }: Pick<Key, 'is_active' | 'is_expired'>) {
  if (!is_active) return states.revoked;
  return is_expired ? states.expired : states.active;
}
