import { providerColorOf } from '../charts/chart-colors.ts';
import styles from './provider-name.module.css';

const names: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  deepseek: 'DeepSeek',
  cohere: 'Cohere',
  mistral: 'Mistral',
  groq: 'Groq',
  ollama: 'Ollama',
  sandbox: 'Sandbox',
  custom: 'Custom',
};

/** A provider's own spelling of its name; its key where it is not known. */
export const providerNameOf = (providerKey: string): string => names[providerKey] ?? providerKey;

/** A provider by its name, with its colour beside it. */
export function ProviderName({ providerKey }: { providerKey: string }) {
  return (
    <span className={styles.provider}>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <rect width="8" height="8" rx="2" fill={providerColorOf(providerKey)} />
      </svg>
      <span className={styles.name}>{providerNameOf(providerKey)}</span>
    </span>
  );
}
