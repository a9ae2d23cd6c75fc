import type { LlmProvider, LlmProviderHealth } from '@sluice/contract';
import { RowActions } from '../../components/data-table/row-actions.tsx';
import { Badge } from '../../components/ui/badge.tsx';
import { ProviderName } from '../../components/ui/provider-name.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { useNow } from '../../lib/use-now.ts';
import type { ProviderActions } from './actions.ts';
import styles from './card.module.css';
import { CardNotes } from './card-notes.tsx';
import { ProviderHealth } from './health.tsx';
import { MaintenanceSwitch } from './maintenance-switch.tsx';

const shownModels = 3;

interface ProviderCardProps {
  provider: LlmProvider;
  /** `undefined` while loading. */
  health: LlmProviderHealth | undefined;
  actions: ProviderActions;
}

/** One instance: vendor, models and health. */
export function ProviderCard({ provider, health, actions }: ProviderCardProps) {
  const { provider_instance_name: name, enabled_models: models } = provider;
  const hidden = models.slice(shownModels);
  const nowMs = useNow();
  const maintenance = isUnderWay(provider.maintenance?.until, nowMs) ? provider.maintenance : null;
  const overlap = isUnderWay(provider.key_overlap?.ends_at, nowMs) ? provider.key_overlap : null;
  return (
    <article className={styles.card} aria-label={name}>
      <div className={styles.head}>
        <h2 className={styles.name} title={name}>
          {name}
        </h2>
        <ProviderStatus provider={provider} isInMaintenance={maintenance !== null} />
      </div>
      <div className={styles.kind}>
        <ProviderName providerKey={provider.provider_key} />
        <Badge>{provider.is_service_managed ? 'Sluice managed' : 'Self managed'}</Badge>
      </div>
      <CardNotes maintenance={maintenance} overlap={overlap} nowMs={nowMs} />
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
        <MaintenanceSwitch
          provider={provider}
          isOn={maintenance !== null}
          onStart={() => actions.open('maintenance', provider)}
        />
        <RowActions row={provider} rowName={name} actions={actions.rowActions} isTabStop />
      </div>
    </article>
  );
}

/** Whether a period is still running by the browser's clock; without an end it is. */
const isUnderWay = (end: string | null | undefined, nowMs: number) => !end || Date.parse(end) > nowMs;

interface ProviderStatusProps {
  provider: LlmProvider;
  isInMaintenance: boolean;
}

function ProviderStatus({ provider: { is_active, is_default }, isInMaintenance }: ProviderStatusProps) {
  if (!is_active) return <StatusMark kind="off">Inactive</StatusMark>;
  if (isInMaintenance) return <StatusMark kind="warn">Maintenance</StatusMark>;
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
