import { useQuery } from '@tanstack/react-query';
import { providerColorOf } from '#lib/chart-colors.ts';
import { isBuiltInProvider, providerNameOf, providerRegistryQuery } from '#lib/provider-registry.ts';
import styles from './provider-name.module.css';

export function ProviderName({ providerKey }: { providerKey: string }) {
  // Loads the registry if a name is missing. `providerNameOf` reads the result.
  useQuery({ ...providerRegistryQuery, enabled: !isBuiltInProvider(providerKey), staleTime: Infinity });
  return (
    <span className={styles.provider}>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <rect width="8" height="8" rx="2" fill={providerColorOf(providerKey)} />
      </svg>
      <span className={styles.name}>{providerNameOf(providerKey)}</span>
    </span>
  );
}
