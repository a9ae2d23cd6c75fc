import type { AuditEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { DetailsDrawer } from '../../components/data-table/details-drawer.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatLabel } from '../../lib/format-label.ts';
import { formatFullTime } from '../../lib/format-time.ts';
import {
  describeAction,
  describeActor,
  describeObject,
  listChanges,
  objectTypeLabel,
} from './describe-entry.ts';
import styles from './drawer.module.css';
import { auditEntryQuery } from './queries.ts';

interface AuditDrawerProps {
  model: DataTableModel<AuditEntry>;
  id: number;
  timeZone: string;
}

/** Details of a change: actor, client, and each column before and after. */
export function AuditDrawer({ model, id, timeZone }: AuditDrawerProps) {
  const answer = useQuery(auditEntryQuery(id));
  const { data: entry } = answer;
  const failure = describeFailure(answer, 'The change could not be loaded');
  return (
    <DetailsDrawer model={model} label="Change Details" heading={<Heading entry={entry} />}>
      {failure && <Failure {...failure} />}
      {!entry && !failure && <SkeletonLines count={5} />}
      {entry && (
        <>
          <Facts entry={entry} timeZone={timeZone} />
          <Changes entry={entry} />
        </>
      )}
    </DetailsDrawer>
  );
}

function Heading({ entry }: { entry: AuditEntry | undefined }) {
  return (
    <>
      <h2>{entry ? describeAction(entry) : 'Change Details'}</h2>
      {entry && <p className="quiet">{describeObject(entry)}</p>}
    </>
  );
}

function Facts({ entry, timeZone }: { entry: AuditEntry; timeZone: string }) {
  return (
    <div className={styles.facts}>
      <FactList>
        <Fact name="Actor">{[describeActor(entry), entry.actor_email].filter(Boolean).join(' · ')}</Fact>
        <Fact name="When">{formatFullTime(entry.created_at, timeZone)}</Fact>
        <Fact name="From">{entry.address ?? 'The system'}</Fact>
        <Fact name="Request">{entry.request_id ?? 'None'}</Fact>
        <Fact name="Object">{`${objectTypeLabel(entry.object_type)} ${entry.object_id}`}</Fact>
      </FactList>
    </div>
  );
}

function Changes({ entry }: { entry: AuditEntry }) {
  const changes = listChanges(entry);
  return (
    <table className={styles.changes} aria-label="Changed fields">
      <thead>
        <tr>
          <th scope="col">Field</th>
          {entry.before && <th scope="col">Before</th>}
          {entry.after && <th scope="col">{entry.before ? 'After' : 'Value'}</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{formatLabel(name)}</th>
            {before !== null && <td className={styles.before}>{before}</td>}
            {after !== null && <td>{after}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
