import type { Appeal } from '@sluice/contract';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';

/** State and outcome of an appeal. */
export function AppealNotice({ appeal: { status, created_at, decided_at, note } }: { appeal: Appeal }) {
  if (status === 'open') {
    return (
      <p>
        <StatusMark kind="pending">You appealed</StatusMark> <Time value={created_at} />. An administrator
        will decide. The decision appears here.
      </p>
    );
  }
  return (
    <p>
      <StatusMark kind={status === 'granted' ? 'ok' : 'off'}>Your appeal was {status}</StatusMark>{' '}
      {decided_at !== null && <Time value={decided_at} />}
      {note !== null && `: ${note}`}
    </p>
  );
}
