"""The scripted players by name."""

from players.scripted.gojen import Gojen
from players.scripted.liberty import Liberty
from players.scripted.naixt import Naixt
from players.scripted.uniform import Random
from players.scripted.wally import Wally

SCRIPTED = {"random": Random, "liberty": Liberty, "wally": Wally, "naixt": Naixt, "gojen": Gojen}
