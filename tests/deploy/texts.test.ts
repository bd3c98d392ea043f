// What starts the service on somebody's machine, as texts: the service itself reads their flags, and the guide has their paths.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import plugin from '../../plugin.json';
import { parseArguments } from '../../src/service/arguments.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface ComposeService {
  readonly build?: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
}
interface Compose {
  readonly services: Readonly<Record<'siyuan' | 'marginalia', ComposeService>>;
  readonly volumes: object;
  readonly secrets?: Readonly<Record<string, { file: string }>>;
}

/** A compose file with the variables of `.env`, as `docker compose` reads it; a variable that has to be given and is not ends it. */
function compose(text: string, env: Readonly<Record<string, string>>): Compose {
  const filled = text.replaceAll(/\$\{(\w+)(:-|:\?)?([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    if (env[name]) return env[name];
    if (kind === ':?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
  return parse(filled) as Compose;
}

const flagsOfImage = (): string[] => JSON.parse(/^ENTRYPOINT (.*)$/m.exec(read('deploy/Dockerfile'))?.[1] ?? '') as string[];

describe('compose.yaml', () => {
  const given = {
    ...{ ADDRESS: '192.168.1.20', TZ: 'Asia/Shanghai', SIYUAN_ACCESS_AUTH_CODE: 'code' },
    ...{ MARGINALIA_SERVICE_TOKEN: 'of-service', MARGINALIA_KERNEL_TOKEN: 'of-kernel' },
  };
  const text = read('deploy/compose.yaml');

  it('asks for what env.example lists, and for nothing else', () => {
    const listed = [...read('deploy/env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect(listed.toSorted()).toEqual([...asked].toSorted());
    expect(() => compose(text, { ...given, SIYUAN_ACCESS_AUTH_CODE: '' })).toThrow('SIYUAN_ACCESS_AUTH_CODE: what people type');
  });

  it('starts a service that answers the page of SiYuan from another device, once SiYuan is there', () => {
    const { siyuan, marginalia } = compose(text, given).services;
    const [, ...flags] = flagsOfImage();
    expect(parseArguments([...flags, ...marginalia.command], marginalia.environment ?? {})).toMatchObject({
      ...{ kernel: 'http://siyuan:6806', kernelToken: 'of-kernel', token: 'of-service', model: undefined },
      ...{ host: '0.0.0.0', port: 6810, hosts: ['192.168.1.20'], origins: ['http://192.168.1.20:6806'] },
    });
    expect([siyuan.ports, marginalia.ports]).toEqual([['192.168.1.20:6806:6806'], ['192.168.1.20:6810:6810']]);
    expect([siyuan.environment?.TZ, marginalia.environment?.TZ]).toEqual(['Asia/Shanghai', 'Asia/Shanghai']);
    expect(marginalia.depends_on).toEqual({ siyuan: { condition: 'service_healthy' } });
    expect(siyuan.healthcheck?.test).toContain('6806');
    expect(marginalia.build).toBe('.');
  });

  it('is reached from its own machine alone where nothing else is said, and keeps its data in a volume of the image', () => {
    const { services, volumes } = compose(text, { SIYUAN_ACCESS_AUTH_CODE: 'code' });
    for (const port of [services.siyuan.ports, services.marginalia.ports].flat()) expect(port).toMatch(/^127\.0\.0\.1:/);
    const [name = '', path] = services.marginalia.volumes?.[0]?.split(':') ?? [];
    expect(Object.keys(volumes)).toEqual([name]);
    expect(read('deploy/Dockerfile')).toContain(`VOLUME ${path}\n`);
  });

  it('takes tokens from files as deploy/README.md says', () => {
    const override = compose(/```yaml\n([\s\S]*?)```/.exec(read('deploy/README.md'))?.[1] ?? '', given);
    const { command, secrets = [] } = override.services.marginalia;
    const own = compose(text, given).services.marginalia.command;
    expect(command.slice(0, own.length)).toEqual(own);
    const files = command.slice(own.length).map((flag) => /^--(?:kernel-)?token-file=\/run\/secrets\/(.*)$/.exec(flag)?.[1]);
    expect(files).toEqual(secrets);
    expect(Object.keys(override.secrets ?? {})).toEqual(secrets);
  });
});

it('the unit of systemd gives flags that the service has', () => {
  const unit = read('deploy/marginalia.service');
  const [program, name, ...flags] = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '').replaceAll('%h', '/home/ada').split(' ');
  expect([program, name]).toEqual(['/usr/bin/env', 'marginalia-service']);
  expect(unit).toContain('EnvironmentFile=%h/.config/marginalia.env');
  const environment = Object.fromEntries([...unit.matchAll(/(MARGINALIA_\w+)=…/g)].map(([, variable = '']) => [variable, 'x']));
  expect(parseArguments(flags, environment)).toMatchObject({ token: 'x', kernelToken: 'x', data: '/home/ada/.marginalia-service' });
});

describe('on Windows', () => {
  const script = read('deploy/marginalia.cmd');
  const local = /^set "MARGINALIA=(.*)"$/m.exec(script)?.[1] ?? '';

  it('the script gives flags that the service has, with every path in quotes', () => {
    const [program = '', ...words] =
      script
        .trim()
        .split('\n')
        .at(-1)
        ?.match(/"[^"]*"|\S+/g) ?? [];
    expect(program).toBe('"%APPDATA%\\npm\\marginalia-service.cmd"');
    const paths = words.filter((word) => /[\\%]/.test(word));
    expect(paths).toEqual(['kernel-token.txt', 'service-token.txt', 'data'].map((name) => `"%MARGINALIA%\\${name}"`));
    // Files of tokens are read at once.
    const flags = words.map((word) => word.replace(/^"%MARGINALIA%\\(.*)\.txt"$/, import.meta.filename).replaceAll('"', ''));
    expect(() => parseArguments(flags, {})).toThrow(/^bad_token: the value of --token /);
  });

  it.each(['docs/guide/service.md', 'docs/guide/zh/service.md'])('%s has the same paths, and a task that starts the script', (page) => {
    const text = read(page);
    expect(local).toBe('%LOCALAPPDATA%\\Marginalia');
    for (const named of [`\`${local}\``, '`kernel-token.txt`', '`service-token.txt`', '`marginalia.cmd`']) expect(text).toContain(named);
    const task = /```powershell\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    expect(task).toContain('-Execute "$env:LOCALAPPDATA\\Marginalia\\marginalia.cmd"');
    expect([...task.matchAll(/\b(?:New|Register)-ScheduledTask\w*/g)].map(String)).toEqual([
      ...['New-ScheduledTaskAction', 'New-ScheduledTaskTrigger', 'New-ScheduledTaskSettingsSet', 'Register-ScheduledTask'],
    ]);
    // What is read is what was made before.
    for (const [, variable = ''] of task.matchAll(/ (\$(?!env)\w+)/g)) expect(task).toMatch(new RegExp(`^ *\\${variable} = `, 'm'));
  });
});

describe.each(['docs/guide/programs.md', 'docs/guide/zh/programs.md'])('%s', (page) => {
  const sections = read(page).split(/^## /m).slice(1, 4);

  it('leads from nothing to an answer in at most eight steps, in the desktop app, with Docker and in a terminal', () => {
    const steps = sections.map((section) => section.match(/^\d+\. /gm)?.length);
    expect(steps).toEqual([7, 8, 8]);
  });

  it('names files that a release carries, in this version', () => {
    const named = sections.flatMap((section) =>
      [...section.matchAll(/`([\w.-]+\.(?:zip|tgz))`|\.\/([\w.-]+\.tgz)/g)].map((found) => found[1] ?? found[2]),
    );
    expect(new Set(named)).toEqual(new Set(['marginalia-deploy.zip', 'package.zip', `marginalia-service-${plugin.version}.tgz`]));
  });

  it('has a command in the terminal whose flags the service has', () => {
    const [, flags = ''] = /^ +marginalia-service (.*)$/m.exec(sections[2] ?? '') ?? [];
    expect(parseArguments(flags.split(' '), { MARGINALIA_SERVICE_TOKEN: 'x' })).toMatchObject({ kernel: 'http://127.0.0.1:6806' });
  });
});
