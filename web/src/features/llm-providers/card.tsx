import type { LlmProvider, LlmProviderHealth } from '@sluice/contract';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { RowActions } from '../../components/data-table/row-actions.tsx';
import { Badge } from '../../components/ui/badge.tsx';
import { ProviderName } from '../../components/ui/provider-name.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import styles from './card.module.css';
import { ProviderHealth } from './health.tsx';

const shownModels = 3;

interface ProviderCardProps {
  provider: LlmProvider;
  /** `undefined` until it is known. */
  health: LlmProviderHealth | undefined;
  actions: readonly RowAction<LlmProvider>[];
}

/** One instance: whose it is, what it may serve, and how it stands. */
export function ProviderCard({ provider, health, actions }: ProviderCardProps) {
  const { provider_instance_name: name, enabled_models: models } = provider;
  const hidden = models.slice(shownModels);
  return (
    <article className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <h2 className={styles.name} title={name}>
          {name}
        </h2>
        <ProviderStatus provider={provider} />
      </div>
      <div className={styles.kind}>
        <ProviderName providerKey={provider.provider_key} />
        <Badge>{provider.is_service_managed ? 'Sluice managed' : 'Self managed'}</Badge>
      </div>
      <ul className={styles.models} aria-label={`Models of ${name}`}>
        {models.slice(0, shownModels).map((model) => (
          <li key={model} title={model}>
            <code>{model}</code>
          </li>
        ))}
        {hidden.length > 0 && (
          <li className="num quiet" title={hidden.join(', ')}>
            +{hidden.length} more
          </li>
        )}
        {models.length === 0 && <li className="quiet">No models enabled</li>}
      </ul>
      <dl className={styles.facts}>
        <Fact name="Default model">{provider.default_model ?? 'None'}</Fact>
        {provider.api_endpoint !== null && <Fact name="Endpoint">{provider.api_endpoint}</Fact>}
      </dl>
      {health && <ProviderHealth health={health} />}
      <div className={styles.foot}>
        <RowActions row={provider} rowName={name} actions={actions} isTabStop />
      </div>
    </article>
  );
}

function ProviderStatus({ provider: { is_active, is_default } }: { provider: LlmProvider }) {
  if (!is_active) return <StatusMark kind="off">Inactive</StatusMark>;
  return <StatusMark kind="ok">{is_default ? 'Default' : 'Active'}</StatusMark>;
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd title={children}>{children}</dd>
    </div>
  );
}
