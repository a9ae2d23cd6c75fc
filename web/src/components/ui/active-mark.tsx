import { StatusMark } from './status-mark.tsx';

/** Whether something is switched on. */
export function ActiveMark({ isActive }: { isActive: boolean }) {
  return <StatusMark kind={isActive ? 'ok' : 'off'}>{isActive ? 'Active' : 'Inactive'}</StatusMark>;
}
