import { describe, expect, it } from 'vitest';
import { isLocalAddress } from './local-address.ts';

describe('an address of this machine or its network', () => {
  it.each([
    'http://127.0.0.1:11434/v1',
    'http://localhost:1234',
    'http://ollama.localhost/v1',
    'http://10.1.2.3/v1',
    'http://172.16.0.1',
    'http://172.31.255.1',
    'http://192.168.178.20:8080',
    'http://169.254.1.1',
    'http://[::1]:11434/v1',
    'http://[fd12::1]/v1',
    'http://[fe80::1]/v1',
    'http://studio.local:1234/v1',
    'http://box.home.arpa',
    // Numbers that the browser reads as 127.0.0.1.
    'http://2130706433/v1',
  ])('%s', (address) => {
    expect(isLocalAddress(address)).toBe(true);
  });

  it.each([
    'https://api.openai.com/v1',
    'http://172.32.0.1',
    'http://11.0.0.1',
    'http://192.169.0.1',
    'http://[2001:db8::1]/v1',
    'http://[::102:304]/v1',
    'http://[::1:2:3]/v1',
    'http://[::ffff:8.8.8.8]/v1',
    // The network that a machine is in completes it.
    'http://nas/v1',
    'http://com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://models.notlocal',
    'http://10.evil.example',
    'not an address',
    '',
  ])('is not %j', (address) => {
    expect(isLocalAddress(address)).toBe(false);
  });
});
