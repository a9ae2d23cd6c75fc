import { createRoute, redirect } from '@tanstack/react-router';
import { z } from 'zod';
import { FullPageSpinner } from '../components/ui/skeleton.tsx';
import { homeSearch } from '../features/home/tabs.ts';
import { homePathOf, isOwnPath } from '../lib/home-path.ts';
import { lazyPage } from '../lib/lazy-page.tsx';
import { applyTimeZone } from '../lib/preferences.ts';
import { loadCurrentUser, mustSetUpSecondFactor } from '../lib/session.ts';
// Must be imported before the router starts, because the module reads the response of an identity provider.
import '../lib/sign-in-attempt.ts';
import { rootRoute } from './root-routes.tsx';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: homeSearch,
  component: lazyPage(() => import('../pages/public/home.tsx'), 'HomePage'),
});

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: z.object({
    signup: z.literal('success').optional().catch(undefined),
    redirect: z.string().refine(isOwnPath).optional().catch(undefined),
    /** Slug of the tenant whose identity providers the page offers. */
    tenant: z.string().optional().catch(undefined),
  }),
  beforeLoad: async ({ context, search }) => {
    const user = await loadCurrentUser(context.queryClient);
    if (user !== null) throw redirect({ href: search.redirect ?? homePathOf(user), replace: true });
  },
  pendingComponent: FullPageSpinner,
  pendingMs: 0,
  component: lazyPage(() => import('../pages/public/login.tsx'), 'LoginPage'),
});

const loginCallbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login/callback/$callback',
  component: lazyPage(() => import('../pages/public/login-callback.tsx'), 'LoginCallbackPage'),
});

const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/second-factor',
  validateSearch: z.object({ redirect: z.string().refine(isOwnPath).optional().catch(undefined) }),
  beforeLoad: async ({ context, search }) => {
    const user = await loadCurrentUser(context.queryClient);
    if (user === null) throw redirect({ to: '/login', search });
    if (!mustSetUpSecondFactor(user))
      throw redirect({ href: search.redirect ?? homePathOf(user), replace: true });
  },
  pendingComponent: FullPageSpinner,
  pendingMs: 0,
  component: lazyPage(() => import('../pages/public/second-factor.tsx'), 'SecondFactorPage'),
});

const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device',
  validateSearch: z.object({ user_code: z.string().max(40).optional().catch(undefined) }),
  beforeLoad: async ({ context, location }) => {
    const user = await loadCurrentUser(context.queryClient);
    if (user === null) throw redirect({ to: '/login', search: { redirect: location.href } });
    if (mustSetUpSecondFactor(user))
      throw redirect({ to: '/second-factor', search: { redirect: location.href } });
    applyTimeZone(user);
  },
  pendingComponent: FullPageSpinner,
  pendingMs: 0,
  component: lazyPage(() => import('../pages/public/device.tsx'), 'DevicePage'),
});

const signupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signup',
  validateSearch: z.object({ plan: z.string().optional().catch(undefined) }),
  beforeLoad: async ({ context }) => {
    if ((await loadCurrentUser(context.queryClient)) !== null)
      throw redirect({ to: '/dashboard', replace: true });
  },
  pendingComponent: FullPageSpinner,
  pendingMs: 0,
  component: lazyPage(() => import('../pages/public/signup.tsx'), 'SignupPage'),
});

const confirmSignupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signup/confirm/$token',
  component: lazyPage(() => import('../pages/public/confirm-signup.tsx'), 'ConfirmSignupPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation/$token',
  component: lazyPage(() => import('../pages/public/invitation.tsx'), 'InvitationPage'),
});

const requestPasswordResetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyPage(() => import('../pages/public/request-password-reset.tsx'), 'RequestPasswordResetPage'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password/$token',
  component: lazyPage(() => import('../pages/public/reset-password.tsx'), 'ResetPasswordPage'),
});

const developmentRoutes =
  import.meta.env.MODE === 'production'
    ? []
    : [
        createRoute({
          getParentRoute: () => rootRoute,
          path: '/parts',
          component: lazyPage(() => import('../pages/parts.tsx'), 'PartsPage'),
        }),
      ];

export const publicRoutes = [
  homeRoute,
  loginRoute,
  loginCallbackRoute,
  secondFactorRoute,
  deviceRoute,
  signupRoute,
  confirmSignupRoute,
  invitationRoute,
  requestPasswordResetRoute,
  resetPasswordRoute,
  ...developmentRoutes,
] as const;
