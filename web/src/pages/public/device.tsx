import { useDocumentTitle } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { DeviceScreen } from '#features/signed-in-tools/device-screen.tsx';

/** Page on which a signed-in user confirms the code of a command-line tool. */
export function DevicePage() {
  useDocumentTitle('Sign in to a tool · Sluice');
  const { user_code: givenCode } = useSearch({ from: '/device' });
  return <DeviceScreen givenCode={givenCode} />;
}
