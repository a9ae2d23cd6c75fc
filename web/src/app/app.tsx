import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { FailedParts } from '../components/layout/failed-parts.tsx';
import { ConfirmProvider } from '../components/ui/confirm.tsx';
import { themeManager } from '../lib/appearance.ts';
import { readCspNonce } from '../lib/csp-nonce.ts';
import { lazyPart } from '../lib/lazy-part.tsx';
import { onSessionChange } from '../lib/token.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { resolveCssVariables, theme } from './theme.ts';

// No toast is shown before the first click, so the first load leaves out their code.
const ToastHost = lazyPart(() => import('../components/ui/toast-host.tsx'), 'ToastHost');

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

// The route guards run again, with the data of the previous session removed.
onSessionChange(() => {
  queryClient.clear();
  void router.invalidate();
});

// Libraries that add style tags on their own ask for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: readCspNonce() });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveCssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={themeManager}
      getStyleNonce={readCspNonce}
    >
      <QueryClientProvider client={queryClient}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
      <ToastHost />
      <FailedParts />
    </MantineProvider>
  );
}
