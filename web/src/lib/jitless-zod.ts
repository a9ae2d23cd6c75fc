import { z } from 'zod';

// The content security policy forbids eval. Must run before any schema is made, so main.tsx imports it first.
z.config({ jitless: true });
