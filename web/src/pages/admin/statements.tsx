import { useRouteContext } from '@tanstack/react-router';
import { StatementsScreen } from '#features/statements/screen.tsx';

export function StatementsPage() {
  const tenant = useRouteContext({ from: '/signed-in/admin', select: ({ user }) => user.tenant });
  return <StatementsScreen tenant={tenant} />;
}
