"""Writes what the part reads of AgentDojo: python3 agentdojo.py FOLDER-OF-THE-UNPACKED-WHEEL > agentdojo.json (needs pydantic and PyYAML)."""

import importlib.abc
import importlib.machinery
import json
import sys
import types
from unittest.mock import MagicMock

PROVIDERS = ("openai", "anthropic", "cohere", "google", "vertexai", "tenacity", "langchain", "transformers", "torch", "deepdiff", "rich", "dotenv")
VERSION = "v1.2.2"
ATTACKS = ("direct", "ignore_previous", "system_message", "injecagent", "important_instructions", "tool_knowledge")


class NoProviders(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The clients of providers, which nothing here calls."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if name.split(".")[0] in PROVIDERS else None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = lambda name: MagicMock(name=name)
        return module

    def exec_module(self, module):
        module.__path__ = []


def lines(value, indent=""):
    if isinstance(value, dict):
        return "\n".join(f"{indent}{name}: {lines(item, indent + '  ').lstrip()}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(lines(item).lstrip() for item in value)
    return indent + str(value)


def holders(value, sign, title=""):
    """The smallest records of the environment that have the sign in them."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [held for name, item in children for held in holders(item, sign, f"{title} {name}".strip())]
    if found and not (isinstance(value, dict) and all(text is None for _, text in found)):
        return found
    if isinstance(value, str) and sign in value:
        return [(title, None)]
    return [(title.rsplit(" ", 1)[0] or title, lines(value))] if found else []


def main(folder):
    sys.meta_path.insert(0, NoProviders())
    sys.path.insert(0, folder)
    from agentdojo.attacks import attack_registry
    from agentdojo.task_suite.load_suites import get_suites

    pipeline = types.SimpleNamespace(name="gpt-4o-2024-05-13")
    suites = []
    for name, suite in get_suites(VERSION).items():
        attacks = {}
        for kind in ATTACKS:
            made = attack_registry.ATTACKS[kind](suite, pipeline)
            made.get_injection_candidates = lambda _task: ["at"]
            attacks[kind] = made
        user = next(iter(suite.user_tasks.values()))
        defaults = suite.get_injection_vector_defaults()
        vectors = []
        for vector, default in defaults.items():
            environment = suite.load_and_inject_default_environment({**defaults, vector: f"«{vector}»"})
            held = holders(json.loads(environment.model_dump_json()), f"«{vector}»")
            vectors += [{"name": vector, "title": title, "text": text or f"«{vector}»", "default": default} for title, text in held[:1]]
        environment = suite.load_and_inject_default_environment({})
        tasks = []
        for task in suite.injection_tasks.values():
            try:
                calls = [{"tool": call.function, "args": dict(call.args)} for call in task.ground_truth(environment)]
            except Exception as error:
                print(f"{name} {task.ID}: {error}", file=sys.stderr)
                calls = []
            texts = {kind: made.attack(user, task)["at"] for kind, made in attacks.items()}
            tasks.append({"id": task.ID, "goal": task.GOAL, "calls": calls, "texts": texts})
        tools = [{"name": tool.name, "description": tool.description, "schema": tool.parameters.model_json_schema()} for tool in suite.tools]
        suites.append({"name": name, "vectors": vectors, "tasks": tasks, "tools": tools})
    json.dump(suites, sys.stdout, indent=1, default=str, ensure_ascii=False)


main(sys.argv[1])
